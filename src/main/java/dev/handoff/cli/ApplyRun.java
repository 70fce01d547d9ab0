package dev.handoff.cli;

import dev.handoff.ApplyAnswer;
import dev.handoff.Handoff;
import dev.handoff.PlanInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// One apply of a plan, which can be stopped in the midst of it. Its engine is closed then, which
/// lets it be undone, or finished if it has got too far for that; the next engine on the same store
/// finds out which.
///
/// @param engine starts one as the owner of the store; called once more when it was stopped
/// @param info the plan before
/// @param check whether nothing is to be written
/// @param again how the plan is named in commands
record ApplyRun(Supplier<Handoff> engine, PlanInfo info, Path target, boolean check, Again again) {

  private static final Duration LONGEST = Duration.ofMinutes(1);

  /// @param stop completes with the name of a signal, if there is one
  /// @param says told that it is being stopped
  /// @throws CommandFailedException if it was stopped: what became of it
  ApplyAnswer run(CompletableFuture<String> stop, Consumer<String> says) {
    try (var handoff = engine.get()) {
      if (stop.isDone()) {
        throw failed(stop.join(), "nothing was begun", next());
      }
      var plan = handoff.plans().plan(info.id());
      var answer = (check ? plan.check(target) : plan.apply(target)).toCompletableFuture();
      CompletableFuture.anyOf(answer, stop).join();
      if (answer.isDone()) {
        return answer.join();
      }
      says.accept(
          "stopping: what was begun is undone, or finished if it has got too far; %s stops at once"
              .formatted(StopSignals.another(stop.join())));
    }
    throw check
        ? failed(stop.join(), "it was only a check, and nothing was written", next())
        : stopped(stop.join());
  }

  /// How it is asked for once more.
  String next() {
    var to = Again.option("--to", target.toString()).strip();
    return "again: " + again.plan("apply", check ? to + " --check" : to);
  }

  private CommandFailedException stopped(String signal) {
    try (var handoff = engine.get()) {
      var plan = Applies.awaitNone(handoff.plans().plan(info.id()), LONGEST);
      var now = plan.info().toCompletableFuture().join().orElseThrow();
      return now.applying().isEmpty() ? over(signal, now) : unknown(signal, "it still goes on");
    } catch (RuntimeException away) {
      return unknown(signal, Program.asFailed(away).getMessage());
    }
  }

  private CommandFailedException over(String signal, PlanInfo now) {
    boolean written = !info.applied().containsAll(now.applied());
    return written
        ? failed(
            signal,
            "it had got too far, and all of it was applied to " + target,
            "see it: " + again.plan("show"))
        : failed(signal, "nothing of it was applied to " + target, next());
  }

  private CommandFailedException unknown(String signal, String reason) {
    return failed(
        signal,
        "what became of it in %s is not known yet: %s".formatted(target, reason),
        "that is found out, and finished or undone, by the next command; " + next());
  }

  private static CommandFailedException failed(String signal, String what, String next) {
    return new CommandFailedException(
        StopSignals.exitCode(signal), "stopped by SIG%s; %s\n%s".formatted(signal, what, next));
  }
}
