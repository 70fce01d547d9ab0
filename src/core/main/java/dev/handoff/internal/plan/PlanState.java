package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// State of a plan: an immutable value, folded from the plan's own facts and those of its steps.
///
/// [#decide] maps a command to facts, [#apply] maps a fact to the next state, and [StepOrders]
/// computes the orders to the steps. All are pure: no clock, no actor.
///
/// @param version number of facts folded so far
/// @param recalled whether an ended plan is loaded from history for a write
@JsonTypeName("plan")
public record PlanState(
    PlanId id,
    PlanSpec spec,
    Instant createdAt,
    long version,
    PlanPhase phase,
    StepStates steps,
    ChangeLedger book,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean recalled)
    implements EntityState {

  /// State after the first fact.
  public static PlanState create(PlanId id, PlanFact.Submitted submitted) {
    var at = submitted.at();
    PlanPhase phase = submitted.held() ? new PlanPhase.Waiting() : new PlanPhase.Running(at);
    var spec = submitted.spec();
    return new PlanState(id, spec, at, 1, phase, StepStates.of(spec), ChangeLedger.EMPTY, false);
  }

  /// Decides a command. Total: every command has an answer in every state.
  public PlanDecision decide(PlanCommand command, Instant now) {
    return new PlanTransitions(this, now).decide(command);
  }

  /// Folds a fact without validation: the decision before the append validated it.
  public PlanState apply(PlanFact fact) {
    return switch (fact) {
      case PlanFact.Submitted again -> this;
      case PlanFact.Released(var at) -> to(new PlanPhase.Running(at));
      case PlanFact.StopRequested(var stop) -> to(stop);
      case PlanFact.StepLost(var step, var at) ->
          stepMoved(step, PlanInfo.StepStatus.FAILED, "it is not kept any more");
      case PlanFact.StepDropped(var step, var reason, var at) -> dropped(step, reason);
      case PlanFact.Ended(var how) -> to(how).with(book.withoutOpen(set -> true), 0);
      case PlanFact.Reopened(var state, var by, var at) -> state.reopened(at);
      case PlanFact.Recalled(var state) -> state.recalled(true);
      case PlanFact.Filed back -> recalled(false);
      case PlanFact.OfChanges change -> with(book.apply(change), 1);
    };
  }

  /// State after a step's transition. The caller checks that the plan is not over.
  public PlanState stepMoved(String step, PlanInfo.StepStatus status, @Nullable String reason) {
    var next = steps.with(step, before -> before.to(status, reason));
    return new PlanState(id, spec, createdAt, version + 1, phase, next, book, recalled);
  }

  /// State after a successful attempt with changes: the changes become the next link of the chain.
  public PlanState committed(
      String changeset, ChangesetAuthor by, Instant at, int changes, int decisions, String body) {
    var link =
        Changeset.after(
            book.head(), changeset, String.valueOf(by.step()), by, at, changes, decisions, body);
    return with(book.plus(link), 1);
  }

  /// Status as users see it.
  public PlanStatus status() {
    return switch (phase) {
      case PlanPhase.Waiting held -> PlanStatus.WAITING;
      case PlanPhase.Running running ->
          steps.count(PlanInfo.StepStatus.FAILED) + steps.count(PlanInfo.StepStatus.CANCELLED) > 0
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

  /// Returns whether the plan is over and archived. A recalled plan is over, but live.
  @Override
  @JsonIgnore
  public boolean ended() {
    return isOver() && !recalled;
  }

  /// Returns whether the plan has reached a final phase.
  @JsonIgnore
  public boolean isOver() {
    return phase instanceof PlanPhase.Ended;
  }

  /// Same plan as in history, not recalled.
  PlanState asEnded() {
    return new PlanState(id, spec, createdAt, version, phase, steps, book, false);
  }

  /// End time of the plan; empty for a running one.
  @JsonIgnore
  public Optional<Instant> endedAt() {
    return phase instanceof PlanPhase.Ended over ? Optional.of(over.at()) : Optional.empty();
  }

  /// Returns whether all unfinished steps are being stopped.
  @JsonIgnore
  public boolean isStopping() {
    return phase instanceof PlanPhase.Stopping
        || phase instanceof PlanPhase.Running
            && spec.failFast()
            && steps.count(PlanInfo.StepStatus.FAILED) > 0;
  }

  /// Specification of a step; empty if the name is unknown.
  Optional<PlanSpec.Step> specOf(String step) {
    return steps.position(step).map(spec.steps()::get);
  }

  /// Cancels a step that waits for its retry. Steps reopened meanwhile move by their own facts.
  private PlanState dropped(String step, String reason) {
    return steps.find(step).filter(StepState::isToRunAgain).isPresent()
        ? stepMoved(step, PlanInfo.StepStatus.CANCELLED, reason)
        : with(book, 1);
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

  private PlanState with(ChangeLedger next, int facts) {
    return new PlanState(id, spec, createdAt, version + facts, phase, steps, next, recalled);
  }
}
