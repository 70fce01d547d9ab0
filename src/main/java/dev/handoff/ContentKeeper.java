package dev.handoff;

import dev.handoff.ask.EngineStage;
import dev.handoff.plan.Blobs;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanId;
import dev.handoff.store.Blob;
import dev.handoff.store.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;

/// Makes the contents of changes durable, before anything names them.
///
/// @param retryAfter what those are told who cannot be answered
record ContentKeeper(Store store, ActorRef<Blobs.Command> blobs, Calls calls, Duration retryAfter) {

  static final int READ_AT_ONCE = 16;
  static final long WRITTEN_AT_ONCE = 4L << 20;

  /// What became of the contents of some changes.
  sealed interface Kept {}

  /// They are in the store, and named.
  record Named(List<PlanCommand.Change> changes) implements Kept {}

  /// They are not, and nothing is to be recorded.
  record NotKept(ChangeAnswer answer) implements Kept {}

  static ContentKeeper of(Handoff.Inside inside) {
    return new ContentKeeper(
        inside.store(),
        inside.doors().blobs(),
        inside.calls(),
        inside.settings().ledger().retryAfter());
  }

  /// Stores them. The stage never fails.
  CompletionStage<Kept> keep(PlanId owner, PackedChanges packed) {
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

  /// A few MiB at a time, for whoever wants to commit something waits behind each write.
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
      PlanId owner, List<Blob> contents, Set<String> known, Kept named) {
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

  /// Few at a time, for each is read, and may be large.
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
    return new ChangeAnswer.Unavailable(UnavailableException.of(failure).getMessage(), retryAfter);
  }
}
