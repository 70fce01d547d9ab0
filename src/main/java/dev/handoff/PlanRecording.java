package dev.handoff;

import dev.handoff.plan.PlanAnswer;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Changesets of callers: their contents go to the store first, then the plan is told.
record PlanRecording(PlanId plan, PlanCalls calls) {

  CompletionStage<ChangeAnswer> record(@Nullable String changeset, List<Change> changes) {
    var copy = List.copyOf(changes);
    var problem = ChangeRules.problem(copy);
    if (problem.isPresent()) {
      return CompletableFuture.completedStage(new ChangeAnswer.Invalid(problem.get()));
    }
    return ContentKeeper.of(calls.inside())
        .keep(plan, ContentKeeper.pack(copy))
        .thenCompose(
            kept ->
                switch (kept) {
                  case ContentKeeper.NotKept(var answer) ->
                      CompletableFuture.completedStage(answer);
                  case ContentKeeper.Named(var named) -> record(named, changeset);
                });
  }

  private CompletionStage<ChangeAnswer> record(
      List<PlanCommand.Change> named, @Nullable String changeset) {
    return calls
        .tell(plan, new PlanCommand.Record(changeset, named))
        .handle(
            (reply, failure) ->
                reply == null
                    ? new ChangeAnswer.Unavailable(reason(failure), calls.retryAfter())
                    : recorded(reply));
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
      case PlanReply.NotFound none ->
          new ChangeAnswer.Refused("plan %s does not exist".formatted(plan));
      case PlanReply.Refused(var id, var reason) -> new ChangeAnswer.Refused(reason);
      case PlanReply.Unavailable(var id, var reason, Duration later) ->
          new ChangeAnswer.Unavailable(reason, later);
      case PlanReply other ->
          new ChangeAnswer.Unavailable(
              new UnavailableException(other).getMessage(), calls.retryAfter());
    };
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
      case PlanReply.Answered(var id, PlanAnswer.Started(var started)) ->
          new ChangesetAnswer.Done(started);
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
          new ChangesetAnswer.Unavailable(
              new UnavailableException(other).getMessage(), calls.retryAfter());
    };
  }

  private static String reason(@Nullable Throwable failure) {
    return UnavailableException.of(failure).getMessage();
  }
}
