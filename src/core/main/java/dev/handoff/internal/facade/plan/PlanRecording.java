package dev.handoff.internal.facade.plan;

import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.facade.attempt.ChangeRules;
import dev.handoff.internal.facade.attempt.ContentKeeper;
import dev.handoff.internal.facade.attempt.PackedChanges;
import dev.handoff.internal.plan.PlanAnswer;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Changesets of callers: contents go to the store first, then the plan gets the command.
///
/// Contents are released when their plan is forgotten. Contents of an already forgotten or unknown
/// plan would stay for ever, so nothing is stored before the plan was seen.
///
/// @param seen whether the plan was seen
record PlanRecording(PlanId plan, PlanCalls calls, AtomicBoolean seen) {

  CompletionStage<ChangeAnswer> record(@Nullable String changeset, List<Change> changes) {
    var copy = List.copyOf(changes);
    var problem = ChangeRules.problem(copy);
    if (problem.isPresent()) {
      return CompletableFuture.completedStage(new ChangeAnswer.Invalid(problem.get()));
    }
    var packed = PackedChanges.of(copy);
    return seen.get() ? keep(changeset, packed) : keepIfThere(changeset, packed);
  }

  private CompletionStage<ChangeAnswer> keepIfThere(
      @Nullable String changeset, PackedChanges packed) {
    return calls
        .state(plan)
        .thenCompose(
            found -> {
              if (found.isEmpty()) {
                return CompletableFuture.completedStage(gone());
              }
              var kept = keep(changeset, packed);
              // Set after `keep`: changes recorded later must not overtake these.
              seen.set(true);
              return kept;
            })
        .exceptionally(this::unavailable);
  }

  private CompletionStage<ChangeAnswer> keep(@Nullable String changeset, PackedChanges packed) {
    return ContentKeeper.of(calls.engine())
        .keep(plan, packed)
        .thenCompose(
            kept ->
                switch (kept) {
                  case ContentKeeper.NotKept(var answer) ->
                      CompletableFuture.completedStage(answer);
                  case ContentKeeper.Named(var named) -> record(named, changeset);
                });
  }

  private CompletionStage<ChangeAnswer> record(List<FileEdit> named, @Nullable String changeset) {
    return calls
        .tell(plan, new PlanCommand.Record(changeset, named))
        .handle((reply, failure) -> reply == null ? unavailable(failure) : recorded(reply));
  }

  private ChangeAnswer recorded(PlanReply reply) {
    return switch (reply) {
      case PlanReply.Answered(var id, PlanAnswer.Recorded(var set, int entries)) ->
          new ChangeAnswer.Recorded(set, entries);
      case PlanReply.Answered(var id, PlanAnswer.NoActiveChangeset none) ->
          new ChangeAnswer.NoActiveChangeset();
      case PlanReply.Answered(var id, PlanAnswer.ChangesetClosed(var set, boolean committed)) ->
          new ChangeAnswer.ChangesetClosed(set, committed);
      case PlanReply.Answered(var id, PlanAnswer.UnknownChangeset(var set)) ->
          new ChangeAnswer.UnknownChangeset(set);
      case PlanReply.Answered(var id, PlanAnswer.Full(var reason)) -> new ChangeAnswer.Full(reason);
      case PlanReply.Answered(var id, PlanAnswer.AlreadyFinished(var status)) ->
          new ChangeAnswer.Refused("plan %s has %s".formatted(plan, status.label()));
      case PlanReply.Answered(var id, PlanAnswer.Declined(var reason)) ->
          new ChangeAnswer.Refused(reason);
      case PlanReply.NotFound none -> gone();
      case PlanReply.Refused(var id, var reason) -> new ChangeAnswer.Refused(reason);
      case PlanReply.Unavailable(var id, var reason, Duration later) ->
          new ChangeAnswer.Unavailable(reason, later);
      case PlanReply other ->
          new ChangeAnswer.Unavailable(UnavailableReasons.of(other), calls.retryAfter());
    };
  }

  private ChangeAnswer gone() {
    return new ChangeAnswer.Refused("plan %s does not exist".formatted(plan));
  }

  private ChangeAnswer unavailable(@Nullable Throwable failure) {
    return new ChangeAnswer.Unavailable(reason(failure), calls.retryAfter());
  }

  CompletionStage<ChangesetAnswer> start(String label, String by) {
    return change(new PlanCommand.StartChangeset(label, by), "");
  }

  CompletionStage<ChangesetAnswer> close(String changeset) {
    return change(new PlanCommand.Close(changeset), changeset);
  }

  CompletionStage<ChangesetAnswer> discard(String changeset) {
    return change(new PlanCommand.Discard(changeset), changeset);
  }

  private CompletionStage<ChangesetAnswer> change(PlanCommand command, String changeset) {
    return calls
        .tell(plan, command)
        .handle(
            (reply, failure) ->
                reply == null
                    ? new ChangesetAnswer.Unavailable(reason(failure), calls.retryAfter())
                    : changed(reply, changeset));
  }

  private ChangesetAnswer changed(PlanReply reply, String changeset) {
    return switch (reply) {
      case PlanReply.Answered(var id, PlanAnswer.Started(var started)) -> started(started);
      case PlanReply.Answered(var id, PlanAnswer.Done done) -> new ChangesetAnswer.Done(changeset);
      case PlanReply.Answered(var id, PlanAnswer.ChangesetClosed(var set, boolean committed)) ->
          new ChangesetAnswer.ChangesetClosed(set, committed);
      case PlanReply.Answered(var id, PlanAnswer.UnknownChangeset(var set)) ->
          new ChangesetAnswer.UnknownChangeset(set);
      case PlanReply.Answered(var id, PlanAnswer.Full(var reason)) ->
          new ChangesetAnswer.NotPossible(reason);
      case PlanReply.Answered(var id, PlanAnswer.Declined(var reason)) ->
          new ChangesetAnswer.NotPossible(reason);
      case PlanReply.Answered(var id, PlanAnswer.AlreadyFinished(var status)) ->
          new ChangesetAnswer.NotPossible("plan %s has %s".formatted(plan, status.label()));
      case PlanReply.Refused(var id, var reason) -> new ChangesetAnswer.NotPossible(reason);
      case PlanReply.NotFound none -> new ChangesetAnswer.NotFound(plan);
      case PlanReply.Unavailable(var id, var reason, var later) ->
          new ChangesetAnswer.Unavailable(reason, later);
      case PlanReply other ->
          new ChangesetAnswer.Unavailable(UnavailableReasons.of(other), calls.retryAfter());
    };
  }

  private ChangesetAnswer started(String changeset) {
    seen.set(true);
    return new ChangesetAnswer.Done(changeset);
  }

  private static String reason(@Nullable Throwable failure) {
    return UnavailableReasons.of(failure);
  }
}
