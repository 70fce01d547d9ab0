package dev.handoff.internal.plan;

import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.text.DurationWords;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.PlanInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Transition rules of a plan: decides one command in one state at one time.
///
/// @param now time of the decision, stored in every resulting fact
record PlanTransitions(PlanState plan, Instant now) {

  PlanDecision decide(PlanCommand command) {
    return switch (command) {
      case PlanCommand.Release release -> release();
      case PlanCommand.Cancel(var reason, var by) ->
          stop(new PlanPhase.Stopping(PlanPhase.StopCause.CANCEL, reason, by, now));
      case PlanCommand.Retry(var by, boolean withParent) -> retry(by, withParent);
      case PlanCommand.StartChangeset(var label, var by) -> start(label, by);
      case PlanCommand.Record recording -> recorded(recording);
      case PlanCommand.Close(var set) -> onOpen(set, open -> PlanDecision.done());
      case PlanCommand.Commit commit -> commit(commit);
      case PlanCommand.Discard(var set) ->
          onOpen(set, open -> PlanDecision.done(new PlanFact.ChangesetDiscarded(set, now)));
      case PlanCommand.Resolve(var resolution) -> resolve(new PlanFact.Resolved(resolution));
      case PlanCommand.Apply(var target) -> apply(target);
      case PlanCommand.Settle settle -> settle();
      case PlanCommand.DeadlinePassed(var since) -> deadlinePassed(since);
      case PlanCommand.LoseStep(var step) -> loseStep(step);
      case PlanCommand.DropStep(var step) -> dropStep(step);
      case PlanCommand.GiveUp(var reason) -> giveUp(reason);
      case PlanCommand.ApplyWritten(int number, int files) -> applyWritten(number, files);
      case PlanCommand.ApplyUndone(int number, var reason) -> applyUndone(number, reason);
    };
  }

  private PlanDecision release() {
    if (plan.isOver()) {
      return finished();
    }
    return plan.phase() instanceof PlanPhase.Waiting
        ? PlanDecision.done(new PlanFact.Released(now))
        : PlanDecision.done();
  }

  /// Requests a stop. The first cause wins, except that a cancel replaces any other cause.
  private PlanDecision stop(PlanPhase.Stopping stop) {
    return switch (plan.phase()) {
      case PlanPhase.Waiting held -> PlanDecision.done(new PlanFact.StopRequested(stop));
      case PlanPhase.Running running -> PlanDecision.done(new PlanFact.StopRequested(stop));
      case PlanPhase.Stopping already ->
          isCancel(stop) && !isCancel(already)
              ? PlanDecision.done(new PlanFact.StopRequested(stop))
              : PlanDecision.done();
      case PlanPhase.Ended over -> finished();
    };
  }

  private static boolean isCancel(PlanPhase.Stopping stop) {
    return stop.cause() == PlanPhase.StopCause.CANCEL;
  }

  private PlanDecision retry(String by, boolean withParent) {
    if (plan.spec().origin() != null && !withParent) {
      return declined(
          "it is a step of plan %s: retry that one".formatted(plan.spec().origin().root()));
    }
    if (plan.book().applying() != null) {
      return PlanDecision.of(new PlanAnswer.Busy(plan.book().applying()));
    }
    return switch (plan.phase()) {
      case PlanPhase.Failed failed ->
          PlanDecision.done(new PlanFact.Reopened(plan.asEnded(), by, now));
      case PlanPhase.Cancelled cancelled ->
          PlanDecision.done(new PlanFact.Reopened(plan.asEnded(), by, now));
      case PlanPhase.Succeeded won -> finished();
      case PlanPhase.Waiting live -> declined("not possible while it is waiting");
      case PlanPhase.Running live -> declined("not possible while it is running");
      case PlanPhase.Stopping live -> declined("not possible while it is being stopped");
    };
  }

  private PlanDecision start(String label, String by) {
    var refusal = cannotChange();
    if (refusal.isPresent()) {
      return refusal.get();
    }
    if (plan.book().open().size() >= ChangeLedger.MOST_OPEN_SETS) {
      return PlanDecision.of(
          new PlanAnswer.Full(
              "%d changesets are open, which is as many as may be: close or discard some"
                  .formatted(ChangeLedger.MOST_OPEN_SETS)));
    }
    if (plan.book().started() >= ChangeLedger.MOST_STARTED) {
      return PlanDecision.of(
          new PlanAnswer.Full(
              "callers have opened %,d changesets of this plan, which is as many as may be: record"
                      .formatted(ChangeLedger.MOST_STARTED)
                  + " more changes in each"));
    }
    var id = "c" + (plan.book().started() + 1);
    var started = new PlanFact.ChangesetStarted(id, label, by, now);
    return plan.book().hasRoomFor(started)
        ? PlanDecision.of(started, new PlanAnswer.Started(id))
        : PlanDecision.of(
            new PlanAnswer.Full(
                "labels of a plan's changesets, with the names of those who opened them, have at"
                    + " most %,d bytes: shorten them".formatted(ChangeLedger.MOST_LABEL_BYTES)));
  }

  /// Reason why callers cannot change the plan's change ledger now; empty if they can.
  private Optional<PlanDecision> cannotChange() {
    var origin = plan.spec().origin();
    if (origin != null) {
      return Optional.of(
          declined(
              "it is a step of plan %s, which keeps the changes: ask that one"
                  .formatted(origin.root())));
    }
    if (plan.isOver()) {
      return Optional.of(finished());
    }
    return plan.isStopping()
        ? Optional.of(declined("the plan is being stopped: it takes no more changes"))
        : Optional.empty();
  }

  private PlanDecision recorded(PlanCommand.Record recording) {
    var set = recording.changeset();
    if (set == null) {
      return cannotChange()
          .or(() -> plan.book().latest().map(open -> recorded(recording, open)))
          .orElseGet(() -> PlanDecision.of(new PlanAnswer.NoActiveChangeset()));
    }
    return onOpen(set, open -> recorded(recording, open));
  }

  private PlanDecision recorded(PlanCommand.Record recording, OpenChangeset open) {
    var book = plan.book();
    int more = recording.changes().size();
    if (book.openEntries() + more > ChangeLedger.MOST_OPEN_ENTRIES
        || book.openBytes() + bytes(recording) > ChangeLedger.MOST_OPEN_BYTES) {
      return PlanDecision.of(
          new PlanAnswer.Full(
              "open changesets of a plan hold at most %,d changes and %,d bytes: close some"
                  .formatted(ChangeLedger.MOST_OPEN_ENTRIES, ChangeLedger.MOST_OPEN_BYTES)));
    }
    var entries = new ArrayList<ChangeEntry>();
    var seal = open.lastSeal();
    for (var change : recording.changes()) {
      var entry = ChangeEntry.after(seal, change.path(), change.before(), change.after(), now);
      entries.add(entry);
      seal = entry.seal();
    }
    return PlanDecision.of(
        new PlanFact.ChangesRecorded(open.id(), entries),
        new PlanAnswer.Recorded(open.id(), open.entries().size() + more));
  }

  private static long bytes(PlanCommand.Record recording) {
    return recording.changes().stream()
        .mapToLong(change -> OpenChangeset.bytes(change.path()))
        .sum();
  }

  /// Applies a decision to an open changeset, or answers that it is not open.
  private PlanDecision onOpen(String set, Function<OpenChangeset, PlanDecision> then) {
    var refusal =
        plan.book().open(set).isPresent() ? cannotChange() : Optional.<PlanDecision>empty();
    return refusal.orElseGet(
        () -> plan.book().open(set).map(then).orElseGet(() -> PlanDecision.of(notOpen(set))));
  }

  private PlanAnswer notOpen(String set) {
    boolean committed = plan.book().committed(set).isPresent();
    return committed || plan.book().wasStarted(set)
        ? new PlanAnswer.ChangesetClosed(SafeText.shown(set), committed)
        : new PlanAnswer.UnknownChangeset(SafeText.shown(set));
  }

  /// Commits a changeset. A count that differs from the stored body means that changes were
  /// recorded since the body was stored.
  private PlanDecision commit(PlanCommand.Commit commit) {
    return onOpen(
        commit.changeset(),
        open ->
            open.entries().size() == commit.entries()
                ? PlanDecision.done(
                    new PlanFact.ChangesetClosed(commit.changeset(), commit.body(), now))
                : declined("changes were recorded while it was being closed: close it again"));
  }

  private PlanDecision resolve(PlanFact.Resolved resolved) {
    if (!plan.spec().isRoot()) {
      return declined(
          "it is a step of plan %s: resolve there".formatted(plan.spec().origin().root()));
    }
    if (plan.book().applying() != null) {
      return PlanDecision.of(new PlanAnswer.Busy(plan.book().applying()));
    }
    if (plan.book().isWrittenOtherwise(resolved.resolution())) {
      return declined(
          "it was resolved before, and that was applied: change the file in a step instead");
    }
    return plan.book().hasRoomFor(resolved.resolution())
        ? recalling(resolved, new PlanAnswer.Done())
        : PlanDecision.of(
            new PlanAnswer.Full(
                "a plan keeps at most %,d resolutions, with %,d bytes of paths and names"
                    .formatted(ChangeLedger.MOST_RESOLUTIONS, ChangeLedger.MOST_RESOLUTION_BYTES)));
  }

  private PlanDecision apply(String target) {
    var book = plan.book();
    if (!plan.spec().isRoot()) {
      return declined(
          "it is a step of plan %s: apply that one".formatted(plan.spec().origin().root()));
    }
    if (book.applying() != null) {
      return PlanDecision.of(new PlanAnswer.Busy(book.applying()));
    }
    if (book.chain().stream().noneMatch(set -> set.changes() > 0)) {
      return PlanDecision.of(new PlanAnswer.NothingToApply());
    }
    var apply = new StartedApply(book.applies() + 1, target, book.chain().size(), book.head(), now);
    return recalling(new PlanFact.ApplyStarted(apply), new PlanAnswer.Done());
  }

  /// Decides a fact about a plan that may be archived: a recall precedes the fact.
  private PlanDecision recalling(PlanFact fact, PlanAnswer answer) {
    return plan.ended()
        ? new PlanDecision(List.of(new PlanFact.Recalled(plan), fact), answer)
        : PlanDecision.of(fact, answer);
  }

  /// Ends the plan when all steps have ended and no changeset is open. A plan being stopped drops
  /// its open changesets. A recalled plan returns to history when no apply is under way.
  private PlanDecision settle() {
    if (plan.isOver()) {
      return plan.recalled() && plan.book().applying() == null
          ? PlanDecision.done(new PlanFact.Filed())
          : PlanDecision.done();
    }
    boolean isLeft =
        plan.phase() instanceof PlanPhase.Waiting
            || !plan.steps().allEnded()
            || plan.book().applying() != null
            || !plan.isStopping() && !plan.book().open().isEmpty();
    return isLeft ? PlanDecision.done() : PlanDecision.done(new PlanFact.Ended(outcome()));
  }

  private PlanPhase.Ended outcome() {
    var steps = plan.steps();
    if (plan.phase() instanceof PlanPhase.Stopping(var cause, var reason, var by, var at)) {
      return cause == PlanPhase.StopCause.CANCEL
          ? new PlanPhase.Cancelled(reason, by, now)
          : new PlanPhase.Failed(reason, now);
    }
    return steps.count(PlanInfo.StepStatus.SUCCEEDED) == steps.size()
        ? new PlanPhase.Succeeded(now)
        : new PlanPhase.Failed(FailureSummary.of(steps), now);
  }

  /// Stops the plan at its deadline. A deadline of an earlier run, before the plan was reopened,
  /// has no effect.
  private PlanDecision deadlinePassed(Instant of) {
    return plan.phase() instanceof PlanPhase.Running(var since)
            && plan.spec().deadline() != null
            && since.equals(of)
        ? stop(
            new PlanPhase.Stopping(
                PlanPhase.StopCause.DEADLINE,
                "its deadline of %s has passed"
                    .formatted(DurationWords.exact(plan.spec().deadline())),
                "handoff",
                now))
        : PlanDecision.done();
  }

  private PlanDecision loseStep(String step) {
    return !plan.isOver()
            && plan.steps().find(step).filter(found -> !found.status().isTerminal()).isPresent()
        ? PlanDecision.done(new PlanFact.StepLost(step, now))
        : PlanDecision.done();
  }

  /// Cancels a reopened step that has not started again and must not run any more.
  private PlanDecision dropStep(String step) {
    boolean waits = plan.steps().find(step).filter(StepState::isToRunAgain).isPresent();
    var why = waits ? StepOrders.whyStopped(plan, step) : null;
    return why == null
        ? PlanDecision.done()
        : PlanDecision.done(new PlanFact.StepDropped(step, why, now));
  }

  private PlanDecision giveUp(String reason) {
    return stop(new PlanPhase.Stopping(PlanPhase.StopCause.GAVE_UP, reason, "handoff", now));
  }

  private PlanDecision applyWritten(int number, int files) {
    var apply = plan.book().applying();
    if (apply == null || apply.number() != number) {
      return PlanDecision.done();
    }
    var at = plan.book().notBeforeDecisions(now);
    return PlanDecision.done(
        new PlanFact.ApplyWritten(
            new WrittenApply(number, apply.target(), apply.sets(), apply.head(), files, at)));
  }

  private PlanDecision applyUndone(int number, String reason) {
    var apply = plan.book().applying();
    return apply != null && apply.number() == number
        ? PlanDecision.done(new PlanFact.ApplyUndone(number, reason, now))
        : PlanDecision.done();
  }

  private PlanDecision finished() {
    return PlanDecision.of(new PlanAnswer.AlreadyFinished(plan.status()));
  }

  private static PlanDecision declined(String reason) {
    return PlanDecision.of(new PlanAnswer.Declined(reason));
  }
}
