package dev.handoff.chaos;

import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChangeHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Concurrent callers that start, record, close and discard in the same plans, and record the
/// replies. A seed determines the actions of each caller.
final class BusyCallers {

  /// Way to record a change in the latest changeset.
  @FunctionalInterface
  interface Latest {
    ChangeAnswer record(PlanHandle plan, String path);

    /// The engine's way: the plan's mailbox decides.
    static ChangeAnswer byTheMailbox(PlanHandle plan, String path) {
      return BoundedWaits.get(plan.record(Change.create(path, path)));
    }

    /// Earlier, broken way: the caller reads which changeset is the latest and names it in its
    /// reply. A changeset started in between makes the reply wrong.
    static ChangeAnswer byAStaleRead(PlanHandle plan, String path) {
      var open = BoundedWaits.get(plan.info()).orElseThrow().openChangesets();
      BoundedWaits.get(plan.startChangeset("in between", "somebody"));
      var answer = byTheMailbox(plan, path);
      return !open.isEmpty() && answer instanceof ChangeAnswer.Recorded(var set, int place)
          ? new ChangeAnswer.Recorded(open.getLast().id(), place)
          : answer;
    }
  }

  private static final int HIGHEST = 30;

  private final List<PlanId> plans;
  private final ChangeHistory history;
  private final Latest latest;

  BusyCallers(List<PlanId> plans, ChangeHistory history, Latest latest) {
    this.plans = plans;
    this.history = history;
    this.latest = latest;
  }

  /// Runs all callers concurrently until each has done its number of actions.
  ///
  /// @param door access to a plan
  void work(Random random, int callers, int acts, Function<PlanId, PlanHandle> door) {
    var all = new ArrayList<CompletableFuture<Void>>();
    for (int number = 0; number < callers; number++) {
      var name = "caller-" + number + "-" + random.nextInt(1 << 20);
      var own = new Random(random.nextLong());
      all.add(
          CompletableFuture.runAsync(
              () -> {
                for (int act = 0; act < acts; act++) {
                  var plan = plans.get(own.nextInt(plans.size()));
                  act(own, door.apply(plan), name + "/" + act + ".txt");
                }
              },
              Thread::startVirtualThread));
    }
    all.forEach(BoundedWaits::get);
  }

  private void act(Random random, PlanHandle plan, String path) {
    var set = "c" + (1 + random.nextInt(HIGHEST));
    int which = random.nextInt(100);
    if (which < 14) {
      BoundedWaits.get(plan.startChangeset("of " + path, "a caller"));
    } else if (which < 50) {
      record(plan, set, path);
    } else if (which < 86) {
      recordInTheLatest(plan, path);
    } else if (which < 94) {
      close(plan, set, history);
    } else {
      history.add(new ChangeHistory.Discarding(plan.id(), set));
      if (BoundedWaits.get(plan.discard(set)) instanceof ChangesetAnswer.Done) {
        history.add(new ChangeHistory.Discarded(plan.id(), set));
      }
    }
  }

  void recordInTheLatest(PlanHandle plan, String path) {
    history.add(new ChangeHistory.Asked(plan.id(), path));
    tell(plan, path, latest.record(plan, path));
  }

  void record(PlanHandle plan, String set, String path) {
    history.add(new ChangeHistory.Asked(plan.id(), path));
    tell(plan, path, BoundedWaits.get(plan.record(set, Change.create(path, path))));
  }

  private static void close(PlanHandle plan, String set, ChangeHistory history) {
    if (BoundedWaits.get(plan.close(set)) instanceof ChangesetAnswer.Done) {
      history.add(new ChangeHistory.Closed(plan.id(), set));
    }
  }

  private void tell(PlanHandle plan, String path, ChangeAnswer answer) {
    switch (answer) {
      case ChangeAnswer.Recorded(var set, int place) ->
          history.add(new ChangeHistory.Recorded(plan.id(), path, set, place));
      case ChangeAnswer.Unavailable unknown -> {}
      case ChangeAnswer refused -> history.add(new ChangeHistory.Refused(plan.id(), path));
    }
  }

  /// Closes all open changesets. A caller without an answer has to ask again.
  static void closeAll(PlanHandle plan, ChangeHistory history) {
    for (var open : BoundedWaits.get(plan.info()).orElseThrow().openChangesets()) {
      close(plan, open.id(), history);
    }
  }
}
