package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.PlanHandle;
import dev.handoff.PlanRefusedException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/// Works a plan off: starts an engine, runs the plan, and says what came of it.
///
/// @param isJson whether the answer is JSON, so that the steps are not told of on the way
record PlanEngine(Streams streams, StoreOptions store, WorkOptions work, boolean isJson) {

  /// @param types of the jobs that are to run
  /// @param begin submits the plan, or opens it again
  /// @return the exit code
  int run(Set<String> types, Function<Handoff, PlanHandle> begin)
      throws IOException, InterruptedException {
    var screen = isJson ? new Screen(streams.err(), Terminals.NONE) : streams.screenOnErr();
    var events = new LinkedBlockingQueue<PlanEvent>();
    var signals = StopSignals.passTo(signal -> events.add(new PlanEvent.Signalled(signal)));
    try {
      var handoff =
          work.start(
              store,
              types,
              reason -> events.add(new PlanEvent.Broken("the engine went down: " + reason)));
      var plan = begin(handoff, begin);
      var end = run(handoff, plan, events, screen);
      var summary = new PlanSummary(end, store.again());
      streams.out().print(isJson ? JsonText.of(summary.json()) + "\n" : summary.text());
      return end.exitCode();
    } finally {
      signals.close();
    }
  }

  private PlanEnd run(
      Handoff handoff, PlanHandle plan, BlockingQueue<PlanEvent> events, Screen screen)
      throws InterruptedException {
    try (handoff) {
      screen.say("plan " + plan.id());
      return new PlanRun(handoff, plan, events, screen, new PlanProgress(isJson)).run();
    }
  }

  private static PlanHandle begin(Handoff handoff, Function<Handoff, PlanHandle> begin) {
    try {
      return begin.apply(handoff);
    } catch (PlanRefusedException refused) {
      handoff.close();
      throw new CommandFailedException(ExitCode.REFUSED, refused.getMessage());
    } catch (RuntimeException failed) {
      handoff.close();
      throw failed;
    }
  }
}
