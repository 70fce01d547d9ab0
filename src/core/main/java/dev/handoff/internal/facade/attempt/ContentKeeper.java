package dev.handoff.internal.facade.attempt;

import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.facade.EngineCalls;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.plan.Blobs;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.store.Store;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;

/// Stores the contents of changes before any fact names them.
///
/// @param retryAfter retry hint for callers that cannot be answered
public record ContentKeeper(
    Store store, ActorRef<Blobs.Command> blobs, EngineCalls calls, Duration retryAfter) {

  static final int READ_AT_ONCE = 16;
  static final long WRITTEN_AT_ONCE = 4L << 20;

  /// Result of storing contents.
  public sealed interface Kept {}

  /// Contents are stored; the changes refer to them by hash.
  public record Named(List<FileEdit> changes) implements Kept {}

  /// Contents are not stored, and the changes must not be recorded.
  public record NotKept(ChangeAnswer answer) implements Kept {}

  public static ContentKeeper of(RunningEngine engine) {
    return new ContentKeeper(
        engine.store(),
        engine.doors().blobs(),
        engine.calls(),
        engine.settings().ledger().retryAfter());
  }

  /// Stores the contents of changes. The stage never fails.
  public CompletionStage<Kept> keep(PlanId owner, PackedChanges packed) {
    return lengths(packed.known())
        .thenCompose(lengths -> keep(owner, packed, lengths))
        .exceptionally(failure -> new NotKept(unavailable(failure)));
  }

  private CompletionStage<Kept> keep(
      PlanId owner, PackedChanges packed, Map<String, Integer> lengths) {
    var missing = new HashSet<>(packed.known());
    missing.removeAll(lengths.keySet());
    if (!missing.isEmpty()) {
      return done(new NotKept(unknown(missing)));
    }
    var named = packed.named(lengths);
    return named instanceof Named ? store(owner, packed, named) : done(named);
  }

  /// Writes a few MiB at a time, because other commits wait behind each write.
  private CompletionStage<Kept> store(PlanId owner, PackedChanges packed, Kept named) {
    var known = packed.known();
    CompletionStage<Kept> kept = done(named);
    for (var contents : packed.writes()) {
      var used = known;
      kept =
          kept.thenCompose(
              before ->
                  before instanceof Named ? keep(owner, contents, used, named) : done(before));
      known = Set.of();
    }
    return kept;
  }

  private CompletionStage<Kept> keep(
      PlanId owner, List<PackedBlob> contents, Set<String> known, Kept named) {
    return calls
        .<Blobs.Command, Blobs.Answer>ask(
            blobs, replyTo -> new Blobs.Keep(owner.value(), contents, known, replyTo))
        .thenApply(
            answer ->
                switch (answer) {
                  case Blobs.Kept kept -> named;
                  case Blobs.Unknown(var missing) -> new NotKept(unknown(missing));
                  case Blobs.Unavailable(var reason, var later) ->
                      new NotKept(new ChangeAnswer.Unavailable(reason, later));
                });
  }

  /// Reads a few blobs at a time, because each one is read whole and may be large.
  private CompletionStage<Map<String, Integer>> lengths(Set<String> known) {
    var all = List.copyOf(known);
    CompletionStage<Map<String, Integer>> lengths =
        CompletableFuture.completedStage(new HashMap<>());
    for (int from = 0; from < all.size(); from += READ_AT_ONCE) {
      var some = all.subList(from, Math.min(all.size(), from + READ_AT_ONCE));
      lengths = lengths.thenCompose(before -> andLengths(some, before));
    }
    return lengths;
  }

  private CompletionStage<Map<String, Integer>> andLengths(
      List<String> some, Map<String, Integer> before) {
    return EngineStage.of(store.blobs(some))
        .thenApply(
            stored -> {
              stored.forEach(
                  (sha256, blob) -> {
                    if (blob.intact()) {
                      before.put(sha256, blob.content().length);
                    }
                  });
              return before;
            });
  }

  private static CompletionStage<Kept> done(Kept kept) {
    return CompletableFuture.completedStage(kept);
  }

  private static ChangeAnswer unknown(Set<String> missing) {
    return new ChangeAnswer.UnknownBase(missing.stream().sorted().findFirst().orElseThrow());
  }

  private ChangeAnswer unavailable(Throwable failure) {
    return new ChangeAnswer.Unavailable(UnavailableReasons.of(failure), retryAfter);
  }
}
