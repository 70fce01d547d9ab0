package dev.handoff.internal.facade.attempt;

import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.facade.CancellableWait;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.capture.CaptureLimits;
import dev.handoff.internal.plan.capture.CapturedCopy;
import dev.handoff.internal.plan.capture.EarlierSteps;
import dev.handoff.internal.plan.capture.WorkingCopies;
import dev.handoff.internal.plan.change.ChangesetLoader;
import dev.handoff.internal.plan.change.CombinedChanges;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.plan.Capture;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.WorkingCopy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/// Working copies of an attempt. Each contains the changes of earlier steps and is removed at the
/// attempt's end.
final class AttemptCopies {

  private static final int MOST_NAMED = 10;

  private final HandlerAttempt attempt;
  private final AttemptPlan plan;
  private final AttemptChanges changes;
  private final WorkingCopies copies;
  private final Queue<AttemptCopy> open = new ConcurrentLinkedQueue<>();

  AttemptCopies(
      HandlerAttempt attempt, AttemptPlan plan, AttemptChanges changes, WorkingCopies copies) {
    this.attempt = attempt;
    this.plan = plan;
    this.changes = changes;
    this.copies = copies;
  }

  WorkingCopy make(Capture capture) throws InterruptedException {
    attempt.heartbeat();
    var stop = attempt.cancellation();
    var store = new StoreContents(CancellableWait.until(plan.engine(), stop).store());
    var net = net(CancellableWait.until(plan.upwards(), stop), store);
    var wanted =
        new CapturedCopy.Wanted(
            capture.directory().orElse(null),
            capture.isKept(),
            new CaptureLimits(capture.mostFiles(), capture.mostBytes()));
    var owner = new CapturedCopy.Owner(attempt.job(), attempt.number(), stop);
    var made = CapturedCopy.make(copies, wanted, owner, net, store);
    var copy = new AttemptCopy(made, changes, stop, this::leftOut);
    open.add(copy);
    if (capture.isKept()) {
      attempt.log("the working copy is kept: " + copy.path());
    }
    return copy;
  }

  /// Combined changes of all earlier steps.
  ///
  /// @param plans plans from the step's own plan up to the topmost one
  private CombinedChanges net(List<PlanState> plans, StoreContents store) {
    var earlier = EarlierSteps.of(plan.places(plans));
    var book = plans.getLast().book();
    var net =
        CombinedChanges.of(
            ChangesetLoader.load(earlier.sets(book.chain()), store), book.resolutions(), store);
    if (!net.conflicts().isEmpty()) {
      attempt.log(
          "steps before this one have changed the same: in the working copy these hold what the"
              + " changes before made of them, without the one that contradicts it: "
              + net.conflicts().stream()
                  .limit(MOST_NAMED)
                  .map(PlanConflict.Entry::path)
                  .collect(Collectors.joining(", ")));
    }
    return net;
  }

  private void leftOut(List<String> names) {
    attempt.log(
        "not recorded, for it is git's own: "
            + names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
            + (names.size() > MOST_NAMED ? " and others" : ""));
  }

  void close() {
    open.forEach(AttemptCopy::close);
  }
}
