package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.PlanHandle;
import dev.handoff.PlanRefusedException;
import dev.handoff.PlanSubmission;
import dev.handoff.plan.PlanId;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Works a plan off: starts an engine, runs the plan, and says what came of it.
///
/// @param isJson whether the answer is JSON, so that the steps are not told of on the way
record PlanEngine(Streams streams, StoreOptions store, WorkOptions work, boolean isJson) {

  /// @param own the plan that is to go on; null = a new one
  /// @param types of the jobs that are to run
  /// @param begin submits the plan, or opens it again
  /// @return the exit code
  int run(@Nullable PlanId own, Set<String> types, Function<Handoff, PlanHandle> begin)
      throws IOException, InterruptedException {
    var screen = isJson ? new Screen(streams.err(), Terminals.NONE) : streams.screenOnErr();
    var events = new LinkedBlockingQueue<PlanEvent>();
    var begun = Instant.now();
    var left = Leftovers.of(store, own, work.handlers().types());
    var next = new AtomicReference<>(next(own));
    var signals =
        StopSignals.passTo(
            signal -> events.add(new PlanEvent.Signalled(signal)),
            () -> screen.sayLast("what was running counts as lost\n" + next.get()));
    try {
      var handoff =
          work.start(
              store,
              types,
              reason -> events.add(new PlanEvent.Broken("the engine went down: " + reason)));
      if (own == null) {
        leaveIfStopped(handoff, signals);
      }
      var plan = begin(handoff, begin);
      next.set(next(plan.id()));
      screen.say("plan " + plan.id());
      left.ifPresent(screen::say);
      var again = new Again(plan.id(), store.again(), work.again());
      var progress = new PlanProgress(isJson, begun);
      var end = asItIsNow(run(handoff, new PlanRun(handoff, plan, events, screen, progress)));
      var summary = new PlanSummary(end, again);
      streams.out().print(isJson ? JsonText.of(summary.json()) + "\n" : summary.text());
      return end.exitCode();
    } finally {
      signals.close();
    }
  }

  /// What can be typed when all of it was stopped at once.
  private String next(@Nullable PlanId plan) {
    return plan == null
        ? "look whether the plan was accepted with: handoff plan list" + store.again()
        : "it goes on with: " + new Again(plan, store.again(), work.again()).retry();
  }

  /// Nobody wants a plan to be accepted any more whose engine was told to stop while it started.
  private static void leaveIfStopped(Handoff handoff, StopSignals signals) {
    signals
        .first()
        .ifPresent(
            signal -> {
              handoff.close();
              throw new CommandFailedException(
                  StopSignals.exitCode(signal),
                  "stopped by SIG%s before the plan was handed in".formatted(signal));
            });
  }

  /// Steps that were let end have done so after the plan was seen last.
  private PlanEnd asItIsNow(PlanEnd end) {
    if (end.over() || end.broken() != null) {
      return end;
    }
    try (var reader = store.read()) {
      return reader.plan(end.id()).map(end::with).orElse(end);
    } catch (RuntimeException unread) {
      return end;
    }
  }

  private static PlanEnd run(Handoff handoff, PlanRun run) throws InterruptedException {
    try (handoff) {
      return run.run();
    }
  }

  private PlanHandle begin(Handoff handoff, Function<Handoff, PlanHandle> begin) {
    try {
      return begin.apply(handoff);
    } catch (PlanRefusedException refused) {
      handoff.close();
      throw failed(refused, store.again());
    } catch (RuntimeException failed) {
      handoff.close();
      throw failed;
    }
  }

  /// @param again how the store is named in commands
  static CommandFailedException failed(PlanRefusedException refused, String again) {
    return refused.submission() instanceof PlanSubmission.Unavailable(var reason, var retryAfter)
        ? new CommandFailedException(
            ExitCode.UNREACHABLE,
            "it is not known whether the plan was accepted: %s\nlook with: handoff plan list%s"
                .formatted(reason, again))
        : new CommandFailedException(ExitCode.REFUSED, refused.getMessage());
  }
}
