package dev.handoff.internal.facade.plan;

import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.facade.attempt.ContentKeeper;
import dev.handoff.internal.facade.attempt.PackedChanges;
import dev.handoff.internal.plan.PlanAnswer;
import dev.handoff.internal.plan.PlanCommand;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.Content;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotFoundException;
import dev.handoff.plan.Resolution;
import dev.handoff.plan.ResolveAnswer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// Decisions about conflicts: looks up the conflict, then sends the decision to the plan.
record PlanResolving(PlanId plan, PlanCalls calls) {

  /// Decides the conflict of a file. The stage never fails.
  CompletionStage<ResolveAnswer> with(
      String path, Function<PlanConflict.Entry, CompletionStage<Resolved>> choice) {
    return new PlanChangeQuery(plan, calls)
        .read((asked, reading) -> new Found(reading.toDecide(path), reading.net().conflicts()))
        .thenCompose(
            found ->
                found
                    .conflict()
                    .map(conflict -> choice.apply(conflict).thenCompose(this::tell))
                    .orElseGet(() -> done(new ResolveAnswer.NoConflict(path, paths(found.open())))))
        .exceptionally(this::failed);
  }

  /// Conflict of the file that may be decided, and all unresolved conflicts of the plan.
  private record Found(Optional<PlanConflict.Entry> conflict, List<PlanConflict.Entry> open) {}

  /// A decision, or the answer that explains its absence.
  sealed interface Resolved {}

  record Decided(Resolution resolution) implements Resolved {}

  record Not(ResolveAnswer answer) implements Resolved {}

  /// Stores a content, then makes it the decision.
  CompletionStage<Resolved> content(byte[] bytes, Function<ContentRef, Resolution> decision) {
    if (bytes.length > Content.MOST_BYTES) {
      return CompletableFuture.completedStage(
          new Not(
              new ResolveAnswer.NotPossible(
                  "the content has %,d bytes, a file may have %,d"
                      .formatted(bytes.length, Content.MOST_BYTES))));
    }
    var packed = PackedChanges.ofNone(bytes);
    return ContentKeeper.of(calls.engine())
        .keep(plan, packed)
        .thenApply(
            kept ->
                switch (kept) {
                  case ContentKeeper.Named named ->
                      new Decided(decision.apply(new ContentRef(packed.sha256(), bytes.length)));
                  case ContentKeeper.NotKept(ChangeAnswer.Unavailable(var reason, var later)) ->
                      new Not(new ResolveAnswer.Unavailable(reason, later));
                  case ContentKeeper.NotKept(var answer) ->
                      new Not(new ResolveAnswer.NotPossible(String.valueOf(answer)));
                });
  }

  private CompletionStage<ResolveAnswer> tell(Resolved resolved) {
    return switch (resolved) {
      case Not(var answer) -> done(answer);
      case Decided(var resolution) ->
          calls
              .tell(plan, new PlanCommand.Resolve(resolution))
              .thenCompose(reply -> answer(reply, resolution.path()));
    };
  }

  private CompletionStage<ResolveAnswer> answer(PlanReply reply, String path) {
    return switch (reply) {
      case PlanReply.Answered(var id, PlanAnswer.Done done) ->
          conflicts().thenApply(left -> new ResolveAnswer.Resolved(path, paths(left)));
      case PlanReply.Answered(var id, PlanAnswer.Declined(var reason)) ->
          done(new ResolveAnswer.NotPossible(reason));
      case PlanReply.Answered(var id, PlanAnswer.Full(var reason)) ->
          done(new ResolveAnswer.NotPossible(reason));
      case PlanReply.Answered(var id, PlanAnswer.Busy(var apply)) ->
          done(
              new ResolveAnswer.NotPossible(
                  "the plan is being applied to %s: try again when that is over"
                      .formatted(apply.target())));
      case PlanReply.NotFound none -> done(new ResolveAnswer.NotFound(plan));
      case PlanReply other -> throw new UnavailableException(UnavailableReasons.of(other));
    };
  }

  private CompletionStage<List<PlanConflict.Entry>> conflicts() {
    return new PlanChangeQuery(plan, calls).read((asked, reading) -> reading.net().conflicts());
  }

  private static List<String> paths(List<PlanConflict.Entry> conflicts) {
    return conflicts.stream().map(PlanConflict.Entry::path).toList();
  }

  private ResolveAnswer failed(Throwable failure) {
    return switch (StageFailures.cause(failure)) {
      case PlanNotFoundException none -> new ResolveAnswer.NotFound(plan);
      case Throwable other ->
          new ResolveAnswer.Unavailable(UnavailableReasons.of(other), calls.retryAfter());
    };
  }

  private static CompletionStage<ResolveAnswer> done(ResolveAnswer answer) {
    return CompletableFuture.completedStage(answer);
  }
}
