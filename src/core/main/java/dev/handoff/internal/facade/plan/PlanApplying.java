package dev.handoff.internal.facade.plan;

import dev.handoff.UnavailableException;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.plan.ApplyOutcome;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanAnswer;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.capture.WorkingCopies;
import dev.handoff.internal.spi.ContextService;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Applies of a plan to directories. An apply left by an earlier process is finished or undone
/// right after the start of the engine; a request during that time is retried before it is answered
/// with [ApplyAnswer.Busy].
///
/// @param writes false for a dry run
record PlanApplying(PlanId plan, PlanCalls calls, boolean writes) {

  private static final Duration LONGEST = Duration.ofHours(6);
  private static final Duration AGAIN = Duration.ofMillis(250);
  private static final int ASKED_AGAIN = 20;

  /// Runs the apply or dry run. The stage never fails.
  CompletionStage<ApplyAnswer> to(Path target) {
    return misfit(target)
        .map(why -> CompletableFuture.<ApplyAnswer>completedStage(new ApplyAnswer.NotPossible(why)))
        .orElseGet(() -> write(target));
  }

  /// Reason why a path is unusable in any case: the plan receives only the path's text.
  private static Optional<String> misfit(Path target) {
    if (!target.getFileSystem().equals(FileSystems.getDefault())) {
      return Optional.of(
          "%s is not in the file system of this machine: name a directory there"
              .formatted(target.toUri()));
    }
    return target.toString().isEmpty()
        ? Optional.of("an empty path names nothing: name a directory, as in \".\"")
        : Optional.empty();
  }

  private CompletionStage<ApplyAnswer> write(Path target) {
    return PlanChangeQuery.onThread(() -> place(target))
        .thenCompose(
            place ->
                place.refusal() == null
                    ? ask(place.path().toString(), ASKED_AGAIN)
                    : CompletableFuture.completedStage(
                        new ApplyAnswer.NotPossible(place.refusal())))
        .exceptionally(
            failure ->
                new ApplyAnswer.Unavailable(UnavailableReasons.of(failure), calls.retryAfter()));
  }

  /// Resolved target of an apply.
  ///
  /// @param refusal reason why the target must not be written; null if it may be written
  private record Place(Path path, @Nullable String refusal) {}

  /// Resolves and checks a target. An apply to the directory of a store would mix its files with
  /// those of the store, or overwrite them. An apply to the store's working copies or workspaces
  /// would be lost to their clean-up.
  private Place place(Path target) {
    var found = real(target);
    var store = calls.engine().store().info();
    if (!store.kind().equals("file") || !Files.isDirectory(Path.of(store.place()))) {
      return new Place(found, null);
    }
    var own = real(Path.of(store.place()));
    if (found.equals(own)) {
      return new Place(found, "%s has the store in it: name another one".formatted(target));
    }
    boolean isKept =
        Stream.of(WorkingCopies.beside(own).directory(), ContextService.indexes(own))
            .anyMatch(found::startsWith);
    return new Place(
        found, isKept ? "%s belongs to the store: name another one".formatted(target) : null);
  }

  /// Canonical path of a directory: links in it and above it are resolved. Other problems of the
  /// path are left for the apply to report.
  private static Path real(Path target) {
    var absolute = target.toAbsolutePath();
    try {
      if (Files.exists(target)) {
        return target.toRealPath();
      }
      var above = absolute.getParent();
      return above == null || !Files.isDirectory(above)
          ? absolute
          : above.toRealPath().resolve(absolute.getFileName());
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private CompletionStage<ApplyAnswer> ask(String target, int left) {
    return calls
        .ask(plan, message(target), LONGEST)
        .thenCompose(
            reply -> {
              var answer = answer(reply);
              return answer instanceof ApplyAnswer.Busy && left > 0
                  ? later(target, left - 1)
                  : CompletableFuture.completedStage(answer);
            });
  }

  private Function<ActorRef<PlanReply>, Plan.Command> message(String target) {
    return writes
        ? replyTo -> new Plan.Do(new PlanCommand.Apply(target), replyTo)
        : replyTo -> new Plan.Check(target, replyTo);
  }

  private CompletionStage<ApplyAnswer> later(String target, int left) {
    return calls.engine().calls().pause(AGAIN).thenCompose(now -> ask(target, left));
  }

  private ApplyAnswer answer(PlanReply reply) {
    return switch (reply) {
      case PlanReply.ApplyEnded(var id, var outcome) -> outcome(outcome);
      case PlanReply.Answered(var id, PlanAnswer.Busy(var apply)) ->
          new ApplyAnswer.Busy(apply.target());
      case PlanReply.Answered(var id, PlanAnswer.NothingToApply none) ->
          new ApplyAnswer.NothingToApply();
      case PlanReply.Answered(var id, PlanAnswer.Declined(var reason)) ->
          new ApplyAnswer.NotPossible(reason);
      case PlanReply.NotFound none -> new ApplyAnswer.NotFound(plan);
      case PlanReply.Refused(var id, var reason) -> new ApplyAnswer.NotPossible(reason);
      case PlanReply.Unavailable(var id, var reason, var later) ->
          new ApplyAnswer.Unavailable(reason, later);
      case PlanReply other -> throw new UnavailableException(UnavailableReasons.of(other));
    };
  }

  private ApplyAnswer outcome(ApplyOutcome outcome) {
    return switch (outcome) {
      case ApplyOutcome.Written(var target, var files) ->
          writes ? new ApplyAnswer.Applied(target, files) : new ApplyAnswer.Possible(target, files);
      case ApplyOutcome.Conflicted(var target, var problems) ->
          new ApplyAnswer.Conflicted(target, problems);
      case ApplyOutcome.Undone(var target, var reason, boolean isAsBefore) ->
          new ApplyAnswer.Undone(target, reason, isAsBefore);
      case ApplyOutcome.Already(var target, var apply) ->
          new ApplyAnswer.AlreadyApplied(target, Optional.ofNullable(apply).map(PlanView::applied));
    };
  }
}
