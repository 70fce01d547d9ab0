package dev.handoff;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.plan.PlanAnswer;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.Resolution;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Handle of an accepted plan. A handle holds little more than the plan's id, so handles are cheap
/// to keep, drop and recreate. A null argument causes an immediate [NullPointerException] that
/// names the argument.
public final class PlanHandle {

  private final PlanId id;
  private final PlanCalls calls;
  private final AtomicBoolean seen = new AtomicBoolean();

  PlanHandle(PlanId id, PlanCalls calls) {
    this.id = id;
    this.calls = calls;
  }

  /// Id of the plan; also the JSON form of the handle.
  @JsonValue
  public PlanId id() {
    return id;
  }

  /// Current snapshot of the plan with its steps, live or ended; empty if the plan does not exist.
  public CompletionStage<Optional<PlanInfo>> info() {
    return AnswerStage.of(new PlanSnapshots(PlanSnapshots.live(calls), false).at(id));
  }

  /// Outcome of the plan. The stage completes when the plan has ended, however long that takes. A
  /// failed or cancelled plan is an outcome, not an exception.
  ///
  /// The stage fails with a [PlanNotFoundException] if the plan does not exist.
  public CompletionStage<PlanOutcome> result() {
    return AnswerStage.of(new PlanWatch(id, calls).start().thenApply(PlanOutcomes::of));
  }

  /// Final snapshot of the plan. The stage completes when the plan has ended.
  public CompletionStage<PlanInfo> ended() {
    return AnswerStage.of(whenEnded());
  }

  private CompletionStage<PlanInfo> whenEnded() {
    return new PlanWatch(id, calls)
        .start()
        .thenCompose(new PlanSnapshots(PlanSnapshots.live(calls), true)::at);
  }

  /// Cancels the plan and all of its steps. Idempotent.
  public PlanCancelHandle cancel(String reason) {
    return cancel(reason, "api");
  }

  /// Cancels the plan and all of its steps, and records the caller. Idempotent. Open changesets are
  /// dropped; committed changesets stay.
  public PlanCancelHandle cancel(String reason, String by) {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(by, "by");
    var reply = calls.tell(id, new PlanCommand.Cancel(reason, by));
    return new PlanCancelHandle(
        id,
        AnswerStage.of(reply.thenApply(PlanHandle::requested)),
        AnswerStage.of(reply.thenCompose(this::ended)));
  }

  private static CancelRequestAnswer requested(PlanReply reply) {
    return switch (reply) {
      case PlanReply.Answered(var plan, PlanAnswer.Done done) -> CancelRequestAnswer.REQUESTED;
      case PlanReply.Answered(var plan, PlanAnswer.AlreadyFinished over) ->
          CancelRequestAnswer.ALREADY_FINISHED;
      case PlanReply.NotFound none -> CancelRequestAnswer.NOT_FOUND;
      case PlanReply other -> throw new UnavailableException(other);
    };
  }

  private CompletionStage<PlanCancelReport> ended(PlanReply reply) {
    return switch (requested(reply)) {
      case REQUESTED -> whenEnded().thenApply(PlanOutcomes::report);
      case ALREADY_FINISHED ->
          calls
              .state(id)
              .thenApply(
                  found ->
                      found.isEmpty()
                          ? new PlanCancelReport.NotFound(id)
                          : new PlanCancelReport.Already(id, found.get().status()));
      case NOT_FOUND, NOT_KEPT ->
          CompletableFuture.completedStage(new PlanCancelReport.NotFound(id));
    };
  }

  /// Reopens a failed or cancelled plan under the same id. Steps that had not succeeded run again
  /// with a full set of attempts; succeeded steps and their changes stay.
  ///
  /// @param by caller; recorded with the plan
  public CompletionStage<PlanRetryAnswer> retry(String by) {
    Objects.requireNonNull(by, "by");
    return AnswerStage.of(calls.tell(id, new PlanCommand.Retry(by)).handle(this::retried));
  }

  private PlanRetryAnswer retried(@Nullable PlanReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case PlanReply.Answered(var plan, PlanAnswer.Done done) -> new PlanRetryAnswer.Reopened(this);
      case PlanReply.Answered(var plan, PlanAnswer.AlreadyFinished(var status)) ->
          new PlanRetryAnswer.NotPossible(id, "it has " + status.label());
      case PlanReply.Answered(var plan, PlanAnswer.Declined(var reason)) ->
          new PlanRetryAnswer.NotPossible(id, reason);
      case PlanReply.Answered(var plan, PlanAnswer.Busy busy) ->
          new PlanRetryAnswer.NotPossible(id, "its changes are being applied");
      case PlanReply.NotFound none -> new PlanRetryAnswer.NotFound(id);
      case PlanReply.Unavailable(var plan, var reason, var retryAfter) ->
          new PlanRetryAnswer.Unavailable(reason, retryAfter);
      case PlanReply other ->
          new PlanRetryAnswer.Unavailable(
              new UnavailableException(other).getMessage(), calls.retryAfter());
      case null ->
          new PlanRetryAnswer.Unavailable(
              UnavailableException.of(failure).getMessage(), calls.retryAfter());
    };
  }

  /// Opens a changeset. A plan may have several open changesets.
  ///
  /// @param label subject of the changeset
  /// @param by caller; recorded with the changeset
  public CompletionStage<ChangesetAnswer> startChangeset(String label, String by) {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(by, "by");
    return AnswerStage.of(new PlanRecording(id, calls, seen).start(label, by));
  }

  /// Records a change in a changeset. The answer names the changeset that holds the change. The
  /// stage never fails.
  public CompletionStage<ChangeAnswer> record(String changeset, Change change) {
    Objects.requireNonNull(changeset, "changeset");
    Objects.requireNonNull(change, "change");
    return record(changeset, List.of(change));
  }

  /// Records all changes, in list order, or none of them.
  public CompletionStage<ChangeAnswer> record(String changeset, List<Change> changes) {
    Objects.requireNonNull(changeset, "changeset");
    Objects.requireNonNull(changes, "changes");
    return AnswerStage.of(new PlanRecording(id, calls, seen).record(changeset, changes));
  }

  /// Records a change in the most recently opened changeset that is open when the plan handles the
  /// request. Use this method only if no other caller opens changesets in this plan.
  public CompletionStage<ChangeAnswer> record(Change change) {
    Objects.requireNonNull(change, "change");
    return AnswerStage.of(new PlanRecording(id, calls, seen).record(null, List.of(change)));
  }

  /// Commits a changeset: its changes become part of the plan's changes.
  public CompletionStage<ChangesetAnswer> close(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(new PlanRecording(id, calls, seen).close(changeset));
  }

  /// Drops an open changeset with all of its changes.
  public CompletionStage<ChangesetAnswer> discard(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(new PlanRecording(id, calls, seen).discard(changeset));
  }

  /// Committed changesets of this plan and of its child plans, in order. The stage fails with a
  /// [PlanNotFoundException] if the plan does not exist.
  public CompletionStage<List<ChangesetInfo>> changesets() {
    return AnswerStage.of(
        calls
            .state(id)
            .thenApply(found -> found.orElseThrow(() -> new PlanNotFoundException(id)))
            .thenApply(plan -> plan.book().chain().stream().map(ChangesetInfo::of).toList()));
  }

  /// Combined diff of all committed changesets; for a child plan, the diff of its own steps. The
  /// stage fails with a [PlanNotFoundException] if the plan does not exist.
  public CompletionStage<PlanDiff> diff() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.diffOf(asked)));
  }

  /// Diff of one changeset, committed or open; empty if the changeset does not exist.
  public CompletionStage<Optional<PlanDiff>> diff(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(reader().read((asked, changes) -> changes.diff(changeset)));
  }

  /// Diff of the changes that one step made. The stage fails with a [PlanStepNotFoundException] if
  /// the step does not exist, and with a [PlanNotFoundException] if the plan does not exist.
  ///
  /// @param step name of the step; in a child plan, the path of step names from this plan,
  ///   separated by `/`
  public CompletionStage<PlanDiff> diffOfStep(String step) {
    Objects.requireNonNull(step, "step");
    return AnswerStage.of(
        calls
            .state(id)
            .thenApply(found -> found.orElseThrow(() -> new PlanNotFoundException(id)))
            .thenCompose(plan -> new PlanStepSearch(calls::state, plan, step).start())
            .thenCompose(path -> reader().read((asked, changes) -> changes.diffOfStep(path))));
  }

  /// Unresolved conflicts: contradicting changes without a decision. The plan cannot be applied
  /// while conflicts remain.
  public CompletionStage<List<PlanConflict>> conflicts() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.conflicts()));
  }

  /// Resolves a conflict in favour of one side.
  ///
  /// @param choice ours or theirs
  /// @param by caller who decides; recorded with the decision
  public CompletionStage<ResolveAnswer> resolve(String path, Resolution.Choice choice, String by) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(choice, "choice");
    Objects.requireNonNull(by, "by");
    var resolving = new PlanResolving(id, calls);
    return switch (choice) {
      case OURS ->
          AnswerStage.of(
              resolving.with(path, conflict -> decided(Resolution.ours(conflict, by, now()))));
      case THEIRS ->
          AnswerStage.of(
              resolving.with(path, conflict -> decided(Resolution.theirs(conflict, by, now()))));
      case CONTENT -> throw new InvalidRequestException(List.of("hand over the content itself"));
    };
  }

  /// Resolves a conflict with this content for the file.
  public CompletionStage<ResolveAnswer> resolve(String path, byte[] content, String by) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(by, "by");
    var resolving = new PlanResolving(id, calls);
    var copy = content.clone();
    return AnswerStage.of(
        resolving.with(
            path,
            conflict ->
                resolving.content(copy, ref -> Resolution.content(conflict, ref, by, now()))));
  }

  private static CompletionStage<PlanResolving.Resolved> decided(Resolution resolution) {
    return CompletableFuture.completedStage(new PlanResolving.Decided(resolution));
  }

  /// Dry run of an apply to this directory: writes nothing. The stage never fails.
  public CompletionStage<ApplyAnswer> check(Path target) {
    Objects.requireNonNull(target, "target");
    return AnswerStage.of(new PlanApplying(id, calls, false).to(target));
  }

  /// Writes the combined changes of all committed changesets into a directory: all of them or none.
  /// A plan runs one apply at a time. Repeating an apply is harmless. The stage never fails.
  public CompletionStage<ApplyAnswer> apply(Path target) {
    Objects.requireNonNull(target, "target");
    return AnswerStage.of(new PlanApplying(id, calls, true).to(target));
  }

  /// Checks the integrity of everything that was committed, to the last byte. The check reads all
  /// stored contents.
  public CompletionStage<ChainVerdict> verify() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.verify()));
  }

  private PlanReader reader() {
    return new PlanReader(id, calls);
  }

  /// Current time in whole milliseconds, the precision of the store.
  private Instant now() {
    return Instant.ofEpochMilli(calls.inside().submissions().clock().millis());
  }

  @Override
  public String toString() {
    return id.value();
  }
}
