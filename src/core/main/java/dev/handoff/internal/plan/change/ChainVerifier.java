package dev.handoff.internal.plan.change;

import dev.handoff.StoreException;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ChainVerdict.Altered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Search for the first alteration in a chain of changesets.
///
/// Each changeset has a hash over its own fields, its body and its predecessor; each entry has a
/// seal over itself and its predecessors; each content is named by its hash. A chain that was
/// rewritten to its end, with all hashes and the head, is not detected: compare the head with a
/// copy kept elsewhere.
public final class ChainVerifier {

  private final List<Changeset> chain;
  private final String head;
  private final ContentReader contents;
  private final ContentCheck named;
  private String link = ChainHash.NONE;
  private int entries;

  private ChainVerifier(List<Changeset> chain, String head, ContentReader contents) {
    this.chain = chain;
    this.head = head;
    this.contents = contents;
    this.named = new ContentCheck(contents);
  }

  /// Verifies the chain in order. Blocks; reads every body and every content once.
  ///
  /// @param head expected hash at the end of the chain
  /// @throws StoreException if the store is unavailable
  public static ChainVerdict verify(List<Changeset> chain, String head, ContentReader contents) {
    return new ChainVerifier(chain, head, contents).run();
  }

  private ChainVerdict run() {
    for (var slice : MemorySlices.of(chain, ChangesetLoader::bytes)) {
      var altered = sets(slice);
      if (altered.isPresent()) {
        return altered.get();
      }
    }
    return link.equals(head)
        ? new ChainVerdict.Intact(chain.size(), entries, named.size(), head)
        : otherHead();
  }

  private Optional<Altered> sets(List<Changeset> slice) {
    var bodies = bodies(slice);
    var soFar = new ArrayList<ContentCheck.Named>();
    Optional<Altered> altered = Optional.empty();
    for (int i = 0; i < slice.size() && altered.isEmpty(); i++) {
      var set = slice.get(i);
      var check = new SetCheck(set, link, body(set, bodies));
      altered = check.altered();
      soFar.addAll(check.named());
      entries += set.changes();
      link = set.hash();
    }
    var content = named.altered(soFar);
    return content.isPresent() ? content : altered;
  }

  /// Intact bodies of a slice. If one is damaged, none is returned, and each body is read
  /// separately.
  private Map<String, byte[]> bodies(List<Changeset> slice) {
    try {
      return contents.read(slice.stream().map(Changeset::body).distinct().toList());
    } catch (StoreException.Unreadable oneByOne) {
      return Map.of();
    }
  }

  private byte @Nullable [] body(Changeset set, Map<String, byte[]> bodies) {
    var body = bodies.get(set.body());
    return body == null ? contents.asStored(set.body()) : body;
  }

  private Altered otherHead() {
    for (int i = 0; i + 1 < chain.size(); i++) {
      if (chain.get(i).hash().equals(head)) {
        return of(chain.get(i + 1), "it was added behind the end of the chain");
      }
    }
    if (chain.isEmpty() || head.equals(ChainHash.NONE)) {
      return chain.isEmpty()
          ? new Altered(null, null, null, null, "all changesets are gone: there is only the head")
          : of(chain.getFirst(), "it was added to a chain that has no changesets");
    }
    return of(
        chain.getLast(),
        "the chain ends with it, but its head is another one: the last changesets were removed"
            + " or rewritten");
  }

  static Altered of(Changeset set, String what) {
    return new Altered(set.id(), set.label(), null, null, what);
  }

  static Altered of(Changeset set, int entry, @Nullable String path, String what) {
    return new Altered(set.id(), set.label(), entry, path, what);
  }
}
