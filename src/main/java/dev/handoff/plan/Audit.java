package dev.handoff.plan;

import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.Resolution;
import dev.handoff.plan.change.Seal;
import dev.handoff.plan.change.Verdict;
import dev.handoff.plan.change.Verify;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether a book is as it was written: the chain of its changesets, what was applied of it, and
/// the contents that conflicts were decided with.
public final class Audit {

  private Audit() {}

  /// Looks at everything, and tells of the first thing that was altered. Blocks.
  ///
  /// @throws dev.handoff.store.StoreException if the store is away
  public static Verdict of(Book book, Contents contents) {
    var verdict = Verify.verify(book.chain(), book.head(), contents);
    return verdict instanceof Verdict.Altered
        ? verdict
        : applied(book).or(() -> decided(book, contents)).orElse(verdict);
  }

  /// Each apply has kept the head of what it has written: a chain that was cut off or sealed anew
  /// since has another one in that place.
  private static Optional<Verdict> applied(Book book) {
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

  private static boolean isOf(Applied apply, Book book) {
    var chain = book.chain();
    return apply.sets() >= 1
        && apply.sets() <= chain.size()
        && chain.get(apply.sets() - 1).hash().equals(apply.head());
  }

  private static Optional<Verdict> decided(Book book, Contents contents) {
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

  private static boolean isThere(Resolution resolution, Contents contents) {
    var content = resolution.content();
    if (content == null) {
      return true;
    }
    var stored = contents.asStored(content.sha256());
    return stored != null
        && stored.length == content.bytes()
        && Seal.of(stored).equals(content.sha256());
  }

  private static Verdict altered(@Nullable String path, String what) {
    return new Verdict.Altered(null, null, null, path, what);
  }
}
