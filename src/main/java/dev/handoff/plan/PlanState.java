package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.handoff.ledger.EntityState;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Maker;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// All there is to know about a plan: an immutable value, made by folding its own facts and those
/// of its steps.
///
/// [#decide] says what a command leads to, [#apply] what a fact makes of the state, and [Orders]
/// what its steps are to be told. None of them reads a clock or knows an actor.
///
/// @param version how many facts have been folded into it
/// @param recalled whether it is back from history for a while, although it has ended
@JsonTypeName("plan")
public record PlanState(
    PlanId id,
    PlanSpec spec,
    Instant createdAt,
    long version,
    PlanPhase phase,
    Steps steps,
    Book book,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean recalled)
    implements EntityState {

  /// The state of a plan with its first fact.
  public static PlanState create(PlanId id, PlanFact.Submitted submitted) {
    var at = submitted.at();
    PlanPhase phase = submitted.held() ? new PlanPhase.Waiting() : new PlanPhase.Running(at);
    var spec = submitted.spec();
    return new PlanState(id, spec, at, 1, phase, Steps.of(spec), Book.EMPTY, false);
  }

  /// What the command leads to in this state. Total: every command has an answer in every state.
  public PlanDecision decide(PlanCommand command, Instant now) {
    return new PlanTransitions(this, now).decide(command);
  }

  /// The state after a fact. Folds whatever the ledger holds: what may happen was decided before it
  /// was written.
  public PlanState apply(PlanFact fact) {
    return switch (fact) {
      case PlanFact.Submitted again -> this;
      case PlanFact.Released(var at) -> to(new PlanPhase.Running(at));
      case PlanFact.StopRequested(var stop) -> to(stop);
      case PlanFact.StepLost(var step, var at) ->
          stepMoved(step, StepStatus.FAILED, "it is not kept any more");
      case PlanFact.StepDropped(var step, var reason, var at) -> dropped(step, reason);
      case PlanFact.Ended(var how) -> to(how).with(book.withoutOpen(set -> true), 0);
      case PlanFact.Reopened(var state, var by, var at) -> state.reopened(at);
      case PlanFact.Recalled(var state) -> state.recalled(true);
      case PlanFact.Filed back -> recalled(false);
      case PlanFact.ChangesetStarted(var set, var label, var by, var at) ->
          with(book.plus(OpenSet.empty(set, label, by, at)), 1);
      case PlanFact.ChangesRecorded(var set, var entries) ->
          with(book.open(set).map(open -> book.with(open.plus(entries))).orElse(book), 1);
      case PlanFact.ChangesetClosed(var set, var body, var at) -> closed(set, body, at);
      case PlanFact.ChangesetDiscarded(var set, var at) ->
          with(book.withoutOpen(open -> open.id().equals(set)), 1);
      case PlanFact.Resolved(var resolution) -> with(book.plus(resolution), 1);
      case PlanFact.ApplyStarted(var apply) -> with(book.begin(apply), 1);
      case PlanFact.ApplyWritten(var apply) -> with(book.written(apply), 1);
      case PlanFact.ApplyUndone undone -> with(book.undone(), 1);
    };
  }

  /// The state when a step has got somewhere. Nothing moves a plan that is over.
  public PlanState stepMoved(String step, StepStatus status, @Nullable String reason) {
    var next = steps.with(step, before -> before.to(status, reason));
    return new PlanState(id, spec, createdAt, version + 1, phase, next, book, recalled);
  }

  /// The state when an attempt has succeeded and left changes: they become the next link of the
  /// chain.
  public PlanState committed(
      String changeset, Maker by, Instant at, int changes, int decisions, String body) {
    var link =
        Changeset.after(
            book.head(), changeset, String.valueOf(by.step()), by, at, changes, decisions, body);
    return with(book.plus(link), 1);
  }

  /// The status that users see.
  public PlanStatus status() {
    return switch (phase) {
      case PlanPhase.Waiting held -> PlanStatus.WAITING;
      case PlanPhase.Running running ->
          steps.count(StepStatus.FAILED) + steps.count(StepStatus.CANCELLED) > 0
              ? PlanStatus.FAILING
              : PlanStatus.RUNNING;
      case PlanPhase.Stopping stopping ->
          stopping.cause() == PlanPhase.StopCause.CANCEL
              ? PlanStatus.CANCELLING
              : PlanStatus.FAILING;
      case PlanPhase.Succeeded won -> PlanStatus.SUCCEEDED;
      case PlanPhase.Failed failed -> PlanStatus.FAILED;
      case PlanPhase.Cancelled cancelled -> PlanStatus.CANCELLED;
    };
  }

  /// Whether it is over and in history. A plan that has ended is live again while it is recalled.
  @Override
  @JsonIgnore
  public boolean ended() {
    return isOver() && !recalled;
  }

  /// Whether all that it had to do is done.
  @JsonIgnore
  public boolean isOver() {
    return phase instanceof PlanPhase.Ended;
  }

  /// The same plan as history has it.
  PlanState asEnded() {
    return new PlanState(id, spec, createdAt, version, phase, steps, book, false);
  }

  /// When it ended; empty while it has not.
  @JsonIgnore
  public Optional<Instant> endedAt() {
    return phase instanceof PlanPhase.Ended over ? Optional.of(over.at()) : Optional.empty();
  }

  /// Whether everything that has not ended is being stopped.
  @JsonIgnore
  public boolean isStopping() {
    return phase instanceof PlanPhase.Stopping
        || phase instanceof PlanPhase.Running
            && spec.failFast()
            && steps.count(StepStatus.FAILED) > 0;
  }

  /// What was asked for of one of its steps; empty if it has none of that name.
  Optional<PlanSpec.Step> specOf(String step) {
    return steps.position(step).map(spec.steps()::get);
  }

  /// A step that was opened again after all moves by its own facts.
  private PlanState dropped(String step, String reason) {
    return steps.find(step).filter(StepState::isToRunAgain).isPresent()
        ? stepMoved(step, StepStatus.CANCELLED, reason)
        : with(book, 1);
  }

  private PlanState closed(String set, String body, Instant at) {
    var open = book.open(set);
    if (open.isEmpty()) {
      return with(book, 1);
    }
    var link =
        Changeset.after(
            book.head(),
            set,
            open.get().label(),
            Maker.caller(open.get().by()),
            at,
            open.get().entries().size(),
            0,
            body);
    return with(book.withoutOpen(one -> one.id().equals(set)).plus(link), 1);
  }

  private PlanState reopened(Instant at) {
    return new PlanState(
        id, spec, createdAt, version + 1, new PlanPhase.Running(at), steps.reopened(), book, false);
  }

  private PlanState recalled(boolean is) {
    return new PlanState(id, spec, createdAt, version + 1, phase, steps, book, is);
  }

  private PlanState to(PlanPhase next) {
    return new PlanState(id, spec, createdAt, version + 1, next, steps, book, recalled);
  }

  private PlanState with(Book next, int facts) {
    return new PlanState(id, spec, createdAt, version + facts, phase, steps, next, recalled);
  }
}
