package dev.handoff;

import dev.handoff.plan.PlanAnswer;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.change.Conflict;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Resolution;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// Decisions about conflicts: the conflict is looked up, then the plan is told how it ends.
record PlanResolving(PlanId plan, PlanCalls calls) {

  /// The stage never fails.
  CompletionStage<ResolveAnswer> with(
      String path, Function<Conflict, CompletionStage<Resolved>> choice) {
    return new PlanReader(plan, calls)
        .read((asked, reading) -> new Found(reading.toDecide(path), reading.net().conflicts()))
        .thenCompose(
            found ->
                found
                    .conflict()
                    .map(conflict -> choice.apply(conflict).thenCompose(this::tell))
                    .orElseGet(() -> done(new ResolveAnswer.NoConflict(path, paths(found.open())))))
        .exceptionally(this::failed);
  }

  /// What may be decided about a file, and what is still open in all of them.
  private record Found(Optional<Conflict> conflict, List<Conflict> open) {}

  /// A decision, or why there is none.
  sealed interface Resolved {}

  record Decided(Resolution resolution) implements Resolved {}

  record Not(ResolveAnswer answer) implements Resolved {}

  /// A content as the decision, once it is in the store.
  CompletionStage<Resolved> content(byte[] bytes, Function<ContentRef, Resolution> decision) {
    if (bytes.length > Content.MOST_BYTES) {
      return CompletableFuture.completedStage(
          new Not(
              new ResolveAnswer.NotPossible(
                  "the content has %,d bytes, a file may have %,d"
                      .formatted(bytes.length, Content.MOST_BYTES))));
    }
    var packed = PackedChanges.ofNone(bytes);
    return ContentKeeper.of(calls.inside())
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
      case PlanReply other -> throw new UnavailableException(other);
    };
  }

  private CompletionStage<List<Conflict>> conflicts() {
    return new PlanReader(plan, calls).read((asked, reading) -> reading.net().conflicts());
  }

  private static List<String> paths(List<Conflict> conflicts) {
    return conflicts.stream().map(Conflict::path).toList();
  }

  private ResolveAnswer failed(Throwable failure) {
    return switch (failure) {
      case PlanNotFoundException none -> new ResolveAnswer.NotFound(plan);
      case CompletionException wrapper when wrapper.getCause() != null ->
          failed(wrapper.getCause());
      case Throwable other ->
          new ResolveAnswer.Unavailable(
              UnavailableException.of(other).getMessage(), calls.retryAfter());
    };
  }

  private static CompletionStage<ResolveAnswer> done(ResolveAnswer answer) {
    return CompletableFuture.completedStage(answer);
  }
}
