package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.cli.PlanOpening.Before;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanRefusedException;
import dev.handoff.plan.PlanSubmission;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Starts an engine, runs a plan to its end and prints the summary.
///
/// @param isJson whether the answer is JSON; suppresses step messages
record PlanEngine(ProgramStreams streams, StoreOptions store, WorkOptions work, boolean isJson) {

  /// @return the exit code
  int run(PlanOpening opening) throws IOException, InterruptedException {
    var screen = isJson ? new Screen(streams.err(), TerminalSetup.NONE) : streams.screenOnErr();
    var events = new LinkedBlockingQueue<PlanEvent>();
    var begun = Instant.now();
    var left = UnfinishedWork.of(store, opening.own(), work.handlers().types());
    var opened = new AtomicReference<@Nullable PlanId>();
    var signals =
        StopSignals.passTo(
            signal -> {
              events.add(new PlanEvent.Signalled(signal));
              if (opened.get() == null) {
                screen.say(stopping(signal));
              }
            },
            () -> screen.sayLast(lastWords(opened.get() == null ? opening.own() : opened.get())));
    try {
      opening.announcement().ifPresent(screen::say);
      var handoff =
          work.start(
              store,
              opening.types(),
              reason -> events.add(new PlanEvent.Broken("the engine went down: " + reason)));
      var plan = open(handoff, opening, signals);
      opened.set(plan.id());
      screen.say("plan " + plan.id());
      left.ifPresent(screen::say);
      var again = new NextCommand(plan.id(), store.again(), work.again());
      var progress = new PlanProgress(isJson, begun);
      var planRun = new PlanRun(handoff, work.handlers().types(), plan, events, screen, progress);
      var end = asItIsNow(run(handoff, planRun, events));
      var summary = new PlanSummary(end, again);
      streams.out().print(isJson ? JsonText.of(summary.json()) + "\n" : summary.text());
      return end.exitCode();
    } finally {
      signals.close();
    }
  }

  private static String stopping(String signal) {
    return "stopping as soon as the engine is up; %s stops at once"
        .formatted(StopSignals.another(signal));
  }

  private String lastWords(@Nullable PlanId plan) {
    return "running jobs count as lost; the next run ends their programs\n" + next(plan);
  }

  /// Advice after an immediate stop.
  private String next(@Nullable PlanId plan) {
    return plan == null
        ? "look whether the plan was accepted with: handoff plan list" + store.again()
        : "it goes on with: " + new NextCommand(plan, store.again(), work.again()).retry();
  }

  /// Final state from the store: running steps may have ended after the last query.
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

  private static PlanEnd run(Handoff handoff, PlanRun run, BlockingQueue<PlanEvent> events)
      throws InterruptedException {
    var watch = StoreWatch.start(handoff, words -> events.add(new PlanEvent.Told(words)));
    try (handoff) {
      return run.run();
    } finally {
      watch.stop();
    }
  }

  private PlanHandle open(Handoff handoff, PlanOpening opening, StopSignals signals) {
    try {
      opening.await(handoff);
      if (opening.before() != Before.GOES_ON) {
        signals.first().ifPresent(signal -> leave(signal, opening.own()));
      }
      return opening.open().apply(handoff);
    } catch (PlanRefusedException refused) {
      handoff.close();
      throw failed(refused, store.again());
    } catch (RuntimeException failed) {
      handoff.close();
      throw failed;
    }
  }

  /// Leaves without opening the plan, because the user stopped the engine during its start.
  private void leave(String signal, @Nullable PlanId own) {
    var words = "stopped by SIG%s before the plan was begun".formatted(signal);
    throw new CommandFailedException(
        StopSignals.exitCode(signal), own == null ? words : words + "\n" + next(own));
  }

  /// @param again store options for commands
  static CommandFailedException failed(PlanRefusedException refused, String again) {
    return refused.submission() instanceof PlanSubmission.Unavailable(var reason, var retryAfter)
        ? new CommandFailedException(
            ExitCode.UNREACHABLE,
            "it is not known whether the plan was accepted: %s\nlook with: handoff plan list%s"
                .formatted(reason, again))
        : new CommandFailedException(ExitCode.REFUSED, refused.getMessage());
  }
}
