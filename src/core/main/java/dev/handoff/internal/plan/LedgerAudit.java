package dev.handoff.internal.plan;

import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChainVerifier;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.Resolution;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Audit of a plan's change ledger: its changeset chain, the applies of the chain, and the contents
/// that resolved conflicts.
public final class LedgerAudit {

  private LedgerAudit() {}

  /// Checks the whole ledger and reports the first altered entry. Blocks.
  ///
  /// @throws dev.handoff.StoreException if the store is unavailable
  public static ChainVerdict of(ChangeLedger book, ContentReader contents) {
    var verdict = ChainVerifier.verify(book.chain(), book.head(), contents);
    return verdict instanceof ChainVerdict.Altered
        ? verdict
        : applied(book).or(() -> decided(book, contents)).orElse(verdict);
  }

  /// Checks the recorded applies. Each apply stores the chain's head hash at its time, so a chain
  /// that was truncated or sealed anew afterwards has another hash at that place.
  private static Optional<ChainVerdict> applied(ChangeLedger book) {
    return book.applied().stream()
        .filter(apply -> !isOf(apply, book))
        .findFirst()
        .map(
            apply ->
                altered(
                    null,
                    "it is not the chain of which %,d changesets were written to %s: some were"
                            .formatted(apply.sets(), apply.target())
                        + " removed or rewritten since"));
  }

  private static boolean isOf(WrittenApply apply, ChangeLedger book) {
    var chain = book.chain();
    return apply.sets() >= 1
        && apply.sets() <= chain.size()
        && chain.get(apply.sets() - 1).hash().equals(apply.head());
  }

  private static Optional<ChainVerdict> decided(ChangeLedger book, ContentReader contents) {
    return book.resolutions().stream()
        .filter(resolution -> !isThere(resolution, contents))
        .findFirst()
        .map(
            resolution ->
                altered(
                    resolution.path(),
                    "the content %s, with which a conflict was decided, is missing or was altered"
                        .formatted(resolution.content().sha256())));
  }

  private static boolean isThere(Resolution resolution, ContentReader contents) {
    var content = resolution.content();
    if (content == null) {
      return true;
    }
    var stored = contents.asStored(content.sha256());
    return stored != null
        && stored.length == content.bytes()
        && ChainHash.of(stored).equals(content.sha256());
  }

  private static ChainVerdict altered(@Nullable String path, String what) {
    return new ChainVerdict.Altered(null, null, null, path, what);
  }
}
