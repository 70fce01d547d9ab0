package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A stoppable apply of a plan. A stop closes the engine, which rolls the apply back, or completes
/// it if it is past its commit point. A second engine on the store reports which of the two
/// happened.
///
/// @param engine starts an engine as owner of the store; called again after a stop
/// @param info plan before the apply
/// @param check dry run without writes
/// @param again follow-up commands for the plan
record ApplyRun(
    Supplier<Handoff> engine, PlanInfo info, Path target, boolean check, NextCommand again) {

  private static final Duration LONGEST = Duration.ofMinutes(1);

  /// @param stop completes with the name of a received signal
  /// @param says receives a message about the stop
  /// @throws CommandFailedException on a stop; carries the outcome
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
          "stopping: the apply is undone, or finished if it is too late for that; %s stops at once"
              .formatted(StopSignals.another(stop.join())));
    }
    throw check
        ? failed(stop.join(), "it was only a check, and nothing was written", next())
        : stopped(stop.join());
  }

  /// Command for another try.
  String next() {
    var to = NextCommand.option("--to", target.toString()).strip();
    return "again: " + again.plan("apply", check ? to + " --check" : to);
  }

  private CommandFailedException stopped(String signal) {
    try (var handoff = engine.get()) {
      var plan = RunningApplies.awaitNone(handoff.plans().plan(info.id()), LONGEST);
      var now = plan.info().toCompletableFuture().join().orElseThrow();
      return now.applying().isEmpty() ? over(signal, now) : unknown(signal, "the apply still runs");
    } catch (RuntimeException away) {
      return unknown(signal, Program.asFailed(away).getMessage());
    }
  }

  private CommandFailedException over(String signal, PlanInfo now) {
    boolean written = !info.applied().containsAll(now.applied());
    return written
        ? failed(
            signal,
            "it could no longer be undone, and all of it was applied to " + target,
            "see it: " + again.plan("show"))
        : failed(signal, "nothing of it was applied to " + target, next());
  }

  private CommandFailedException unknown(String signal, String reason) {
    return failed(
        signal,
        "the result in %s is not known yet: %s".formatted(target, reason),
        "the next command finishes or undoes the apply; " + next());
  }

  private static CommandFailedException failed(String signal, String what, String next) {
    return new CommandFailedException(
        StopSignals.exitCode(signal), "stopped by SIG%s; %s\n%s".formatted(signal, what, next));
  }
}
