package dev.handoff.internal.facade.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.CancelHandle.CancelRequestAnswer;
import dev.handoff.InvalidRequestException;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.plan.PlanAnswer;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.PlanCancelHandle;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanNotFoundException;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.plan.Resolution;
import dev.handoff.plan.ResolveAnswer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Handle of a plan of a running engine.
final class EnginePlanHandle implements PlanHandle {

  private final PlanId id;

  private final PlanCalls calls;

  private final AtomicBoolean seen = new AtomicBoolean();

  EnginePlanHandle(PlanId id, PlanCalls calls) {
    this.id = id;
    this.calls = calls;
  }

  @Override
  @JsonValue
  public PlanId id() {
    return id;
  }

  @Override
  public CompletionStage<Optional<PlanInfo>> info() {
    return AnswerStage.of(new PlanSnapshots(PlanSnapshots.live(calls), false).at(id));
  }

  @Override
  public CompletionStage<PlanOutcome> result() {
    return whileWanted(ended -> watch(ended).thenApply(PlanOutcomes::of));
  }

  @Override
  public CompletionStage<PlanInfo> ended() {
    return whileWanted(this::whenEnded);
  }

  /// Answer after a watch. The watch stops once the user completes or cancels the answer.
  ///
  /// @param way leads from the stage of the watch to the answer
  private static <T> AnswerStage<T> whileWanted(
      Function<CompletableFuture<PlanState>, CompletionStage<T>> way) {
    var ended = new EngineStage<PlanState>();
    var answer = AnswerStage.of(way.apply(ended));
    EngineStage.whenDone(answer, (value, failure) -> ended.cancel(false));
    return answer;
  }

  private CompletionStage<PlanState> watch(CompletableFuture<PlanState> ended) {
    return new PlanWatch(id, calls, ended).start();
  }

  private CompletionStage<PlanInfo> whenEnded(CompletableFuture<PlanState> ended) {
    return watch(ended).thenCompose(new PlanSnapshots(PlanSnapshots.live(calls), true)::at);
  }

  @Override
  public PlanCancelHandle cancel(String reason) {
    return cancel(reason, "api");
  }

  @Override
  public PlanCancelHandle cancel(String reason, String by) {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(by, "by");
    var reply = calls.tell(id, new PlanCommand.Cancel(reason, by));
    return new PlanCancelHandle(
        id,
        AnswerStage.of(reply.thenApply(EnginePlanHandle::requested)),
        whileWanted(ended -> reply.thenCompose(answer -> ended(answer, ended))));
  }

  private static CancelRequestAnswer requested(PlanReply reply) {
    return switch (reply) {
      case PlanReply.Answered(var plan, PlanAnswer.Done done) -> CancelRequestAnswer.REQUESTED;
      case PlanReply.Answered(var plan, PlanAnswer.AlreadyFinished over) ->
          CancelRequestAnswer.ALREADY_FINISHED;
      case PlanReply.NotFound none -> CancelRequestAnswer.NOT_FOUND;
      case PlanReply other -> throw new UnavailableException(UnavailableReasons.of(other));
    };
  }

  private CompletionStage<PlanCancelReport> ended(
      PlanReply reply, CompletableFuture<PlanState> ended) {
    return switch (requested(reply)) {
      case REQUESTED -> whenEnded(ended).thenApply(PlanCancelReport::of);
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

  @Override
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
          new PlanRetryAnswer.Unavailable(UnavailableReasons.of(other), calls.retryAfter());
      case null ->
          new PlanRetryAnswer.Unavailable(UnavailableReasons.of(failure), calls.retryAfter());
    };
  }

  @Override
  public CompletionStage<ChangesetAnswer> startChangeset(String label, String by) {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(by, "by");
    return AnswerStage.of(new PlanRecording(id, calls, seen).start(label, by));
  }

  @Override
  public CompletionStage<ChangeAnswer> record(String changeset, Change change) {
    Objects.requireNonNull(changeset, "changeset");
    Objects.requireNonNull(change, "change");
    return record(changeset, List.of(change));
  }

  @Override
  public CompletionStage<ChangeAnswer> record(String changeset, List<Change> changes) {
    Objects.requireNonNull(changeset, "changeset");
    Objects.requireNonNull(changes, "changes");
    return AnswerStage.of(new PlanRecording(id, calls, seen).record(changeset, changes));
  }

  @Override
  public CompletionStage<ChangeAnswer> record(Change change) {
    Objects.requireNonNull(change, "change");
    return AnswerStage.of(new PlanRecording(id, calls, seen).record(null, List.of(change)));
  }

  @Override
  public CompletionStage<ChangesetAnswer> close(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(new PlanRecording(id, calls, seen).close(changeset));
  }

  @Override
  public CompletionStage<ChangesetAnswer> discard(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(new PlanRecording(id, calls, seen).discard(changeset));
  }

  @Override
  public CompletionStage<List<ChangesetInfo>> changesets() {
    return AnswerStage.of(
        calls
            .state(id)
            .thenApply(found -> found.orElseThrow(() -> new PlanNotFoundException(id)))
            .thenApply(plan -> plan.book().chain().stream().map(PlanView::changeset).toList()));
  }

  @Override
  public CompletionStage<PlanDiff> diff() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.diffOf(asked)));
  }

  @Override
  public CompletionStage<Optional<PlanDiff>> diff(String changeset) {
    Objects.requireNonNull(changeset, "changeset");
    return AnswerStage.of(reader().read((asked, changes) -> changes.diff(changeset)));
  }

  @Override
  public CompletionStage<PlanDiff> diffOfStep(String step) {
    Objects.requireNonNull(step, "step");
    return AnswerStage.of(
        calls
            .state(id)
            .thenApply(found -> found.orElseThrow(() -> new PlanNotFoundException(id)))
            .thenCompose(plan -> new PlanStepSearch(calls::state, plan, step).start())
            .thenCompose(path -> reader().read((asked, changes) -> changes.diffOfStep(path))));
  }

  @Override
  public CompletionStage<List<PlanConflict>> conflicts() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.conflicts()));
  }

  @Override
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

  @Override
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

  @Override
  public CompletionStage<ApplyAnswer> check(Path target) {
    Objects.requireNonNull(target, "target");
    return AnswerStage.of(new PlanApplying(id, calls, false).to(target));
  }

  @Override
  public CompletionStage<ApplyAnswer> apply(Path target) {
    Objects.requireNonNull(target, "target");
    return AnswerStage.of(new PlanApplying(id, calls, true).to(target));
  }

  @Override
  public CompletionStage<ChainVerdict> verify() {
    return AnswerStage.of(reader().read((asked, changes) -> changes.verify()));
  }

  private PlanChangeQuery reader() {
    return new PlanChangeQuery(id, calls);
  }

  /// Current time in whole milliseconds, the precision of the store.
  private Instant now() {
    return Instant.ofEpochMilli(calls.engine().submissions().clock().millis());
  }

  @Override
  public String toString() {
    return id.value();
  }
}
