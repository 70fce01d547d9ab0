package dev.handoff;

import dev.handoff.context.workspace.Workspaces;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanAnswer;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.capture.WorkingCopies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Applies of a plan to directories. One that another process has left is finished or undone right
/// after the start of this one; whoever asks meanwhile is not told of it at once.
///
/// @param writes whether it is more than a check
record PlanApplying(PlanId plan, PlanCalls calls, boolean writes) {

  private static final Duration LONGEST = Duration.ofHours(6);
  private static final long AGAIN_MILLIS = 250;
  private static final int ASKED_AGAIN = 20;

  /// The stage never fails.
  CompletionStage<ApplyAnswer> to(Path target) {
    return misfit(target)
        .map(why -> CompletableFuture.<ApplyAnswer>completedStage(new ApplyAnswer.NotPossible(why)))
        .orElseGet(() -> write(target));
  }

  /// Why nothing can be written there, whatever is there: a name alone goes to the plan.
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
    return PlanReader.onThread(() -> place(target))
        .thenCompose(
            place ->
                place.refusal() == null
                    ? ask(place.path().toString(), ASKED_AGAIN)
                    : CompletableFuture.completedStage(
                        new ApplyAnswer.NotPossible(place.refusal())))
        .exceptionally(
            failure ->
                new ApplyAnswer.Unavailable(
                    UnavailableException.of(failure).getMessage(), calls.retryAfter()));
  }

  /// Where a target leads.
  ///
  /// @param refusal why nothing may be written there; null if it may
  private record Place(Path path, @Nullable String refusal) {}

  /// What is written to the directory of a store would lie among its files, or be one of them; and
  /// what is in those that it keeps there is cleared up.
  private Place place(Path target) {
    var found = real(target);
    var store = calls.inside().store().info();
    if (!store.kind().equals("file") || !Files.isDirectory(Path.of(store.place()))) {
      return new Place(found, null);
    }
    var own = real(Path.of(store.place()));
    if (found.equals(own)) {
      return new Place(found, "%s has the store in it: name another one".formatted(target));
    }
    boolean isKept =
        Stream.of(WorkingCopies.beside(own).directory(), Workspaces.beside(own))
            .anyMatch(found::startsWith);
    return new Place(
        found, isKept ? "%s belongs to the store: name another one".formatted(target) : null);
  }

  /// The name by which the directory is known, whatever links led to it; what is above a link is
  /// found by following that. What cannot be found out is told by the apply itself.
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
    return new CompletableFuture<@Nullable Void>()
        .completeOnTimeout(null, AGAIN_MILLIS, TimeUnit.MILLISECONDS)
        .thenCompose(now -> ask(target, left));
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
      case PlanReply other -> throw new UnavailableException(other);
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
          new ApplyAnswer.AlreadyApplied(target, Optional.ofNullable(apply).map(AppliedInfo::of));
    };
  }
}
