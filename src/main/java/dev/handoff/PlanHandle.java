package dev.handoff;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.Cancelling.CancelRequestAnswer;
import dev.handoff.ask.AnswerStage;
import dev.handoff.plan.PlanAnswer;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.change.Resolution;
import dev.handoff.plan.change.Verdict;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A plan that was accepted. Holds little but its id: cheap to keep, to lose and to make again.
/// Whoever hands over null gets a [NullPointerException] that names it, at once.
public final class PlanHandle {

  private final PlanId id;
  private final PlanCalls calls;
  private final AtomicBoolean seen = new AtomicBoolean();

  PlanHandle(PlanId id, PlanCalls calls) {
    this.id = id;
    this.calls = calls;
  }

  /// What a handle is in JSON, too.
  @JsonValue
  public PlanId id() {
    return id;
  }

  /// The plan as it is now, live or ended, with everything in it; empty if there is none.
  public CompletionStage<Optional<PlanInfo>> info() {
    return AnswerStage.of(new PlanLook(PlanLook.live(calls), false).at(id));
  }

  /// Completes when the plan has ended, however long that takes, with how it ended: never
  /// exceptionally for the plan's own end.
  ///
  /// Fails with a [PlanNotFoundException] if there is none.
  public CompletionStage<PlanOutcome> result() {
    return AnswerStage.of(new PlanWatch(id, calls).start().thenApply(PlanEnds::of));
  }

  /// Completes when the plan has ended, with all there is to know of it then.
  public CompletionStage<PlanInfo> ended() {
    return AnswerStage.of(whenEnded());
  }

  private CompletionStage<PlanInfo> whenEnded() {
    return new PlanWatch(id, calls)
        .start()
        .thenCompose(new PlanLook(PlanLook.live(calls), true)::at);
  }

  /// Ends the plan with all of its steps. Idempotent.
  public PlanCancelling cancel(String reason) {
    return cancel(reason, "api");
  }

  /// Ends the plan with all of its steps, and says who asked for it. Idempotent. Changesets that
  /// are open are dropped; what was committed stays.
  public PlanCancelling cancel(String reason, String by) {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(by, "by");
    var reply = calls.tell(id, new PlanCommand.Cancel(reason, by));
    return new PlanCancelling(
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
      case REQUESTED -> whenEnded().thenApply(PlanEnds::report);
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

  /// Opens a failed or cancelled plan again, under the same id: what had not succeeded runs again,
  /// with all of its attempts; what had succeeded and what it changed stays.
  ///
  /// @param by who asks for it; recorded with the plan
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

  /// Opens a changeset. Several may be open.
  ///
  /// @param label what it is about
  /// @param by who opens it; recorded with it
  public CompletionStage<ChangesetAnswer> startChangeset(String label, String by) {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(by, "by");
    return AnswerStage.of(new PlanRecording(id, calls, seen).start(label, by));
  }

  /// Records a change in a changeset. The answer names the changeset: the change is there, and
  /// nowhere else. The stage never fails.
  public CompletionStage<ChangeAnswer> record(String changeset, Change change) {
    Objects.requireNonNull(changeset, "changeset");
    Objects.requireNonNull(change, "change");
    return record(changeset, List.of(change));
  }

  /// Records all of them, in this order, or none.
  public CompletionStage<ChangeAnswer> record(String changeset, List<Change> changes) {
    Objects.requireNonNull(changeset, "changeset");
    Objects.requireNonNull(changes, "changes");
    return AnswerStage.of(new PlanRecording(id, calls, seen).record(changeset, changes));
  }

  /// Records a change in the changeset that was opened last and is open when the plan handles this.
  /// For those who are the only ones to open changesets.
  public CompletionStage<ChangeAnswer> record(Change change) {
    Objects.requireNonNull(change, "change");
    return AnswerStage.of(new PlanRecording(id, calls, seen).record(null, List.of(change)));
  }

  /// Commits a changeset: it becomes a part of what the plan comes to.
  public CompletionStage<ChangesetAnswer> close(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(new PlanRecording(id, calls, seen).close(changeset));
  }

  /// Drops an open changeset with everything in it.
  public CompletionStage<ChangesetAnswer> discard(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(new PlanRecording(id, calls, seen).discard(changeset));
  }

  /// The committed changesets of this plan and those below it, in order. Fails with a
  /// [PlanNotFoundException] if there is no such plan.
  public CompletionStage<List<ChangesetInfo>> changesets() {
    return AnswerStage.of(
        calls
            .state(id)
            .thenApply(found -> found.orElseThrow(() -> new PlanNotFoundException(id)))
            .thenApply(plan -> plan.book().chain().stream().map(ChangesetInfo::of).toList()));
  }

  /// What all committed changesets come to; of a plan that is a step, what its own steps have
  /// changed. Fails with a [PlanNotFoundException] if there is no such plan.
  public CompletionStage<PlanDiff> diff() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.diffOf(asked)));
  }

  /// What one changeset comes to, whether it is committed or open; empty if there is none of that
  /// id.
  public CompletionStage<Optional<PlanDiff>> diff(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(reader().read((asked, changes) -> changes.diff(changeset)));
  }

  /// What one step has changed. Fails with a [PlanStepNotFoundException] if there is no such step,
  /// and with a [PlanNotFoundException] if there is no such plan.
  ///
  /// @param step its name; in a child plan, with the names of the steps above it before it, and `/`
  ///   between them
  public CompletionStage<PlanDiff> diffOfStep(String step) {
    Objects.requireNonNull(step, "step");
    return AnswerStage.of(
        calls
            .state(id)
            .thenApply(found -> found.orElseThrow(() -> new PlanNotFoundException(id)))
            .thenCompose(plan -> new PlanStepSearch(calls::state, plan, step).start())
            .thenCompose(path -> reader().read((asked, changes) -> changes.diffOfStep(path))));
  }

  /// The changes that contradict each other and that nobody has decided about. They keep the plan
  /// from being applied.
  public CompletionStage<List<PlanConflict>> conflicts() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.conflicts()));
  }

  /// Decides a conflict for one of its sides.
  ///
  /// @param choice ours or theirs
  /// @param by who decides; recorded with it
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

  /// Decides a conflict: the file is to hold this.
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

  /// What would an apply to this directory do? Writes nothing. The stage never fails.
  public CompletionStage<ApplyAnswer> check(Path target) {
    Objects.requireNonNull(target, "target");
    return AnswerStage.of(new PlanApplying(id, calls, false).to(target));
  }

  /// Writes what all committed changesets come to into a directory: all of it, or nothing. One
  /// apply of a plan at a time; doing it again is harmless. The stage never fails.
  public CompletionStage<ApplyAnswer> apply(Path target) {
    Objects.requireNonNull(target, "target");
    return AnswerStage.of(new PlanApplying(id, calls, true).to(target));
  }

  /// Whether everything that was committed is as it was, to the last byte. Reads all of it.
  public CompletionStage<Verdict> verify() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.verify()));
  }

  private PlanReader reader() {
    return new PlanReader(id, calls);
  }

  /// As it is stored.
  private Instant now() {
    return Instant.ofEpochMilli(calls.inside().submissions().clock().millis());
  }

  @Override
  public String toString() {
    return id.value();
  }
}
