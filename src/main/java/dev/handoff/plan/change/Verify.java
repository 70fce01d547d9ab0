package dev.handoff.plan.change;

import dev.handoff.plan.change.Verdict.Altered;
import dev.handoff.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the first thing in a chain of changesets that is not as it was committed.
///
/// Every set has the hash of all that it says of itself, of its body and of the set before it;
/// every entry a seal over itself and the entries before it; every content is named by its hash.
/// What this cannot find is a chain that somebody has rewritten from one set to its end, with all
/// hashes and the head: for that, compare the head with one that was kept elsewhere.
public final class Verify {

  private final List<Changeset> chain;
  private final String head;
  private final Contents contents;
  private final ContentCheck named;
  private String link = Seal.NONE;
  private int entries;

  private Verify(List<Changeset> chain, String head, Contents contents) {
    this.chain = chain;
    this.head = head;
    this.contents = contents;
    this.named = new ContentCheck(contents);
  }

  /// Looks at everything, in order. Blocks; reads every body and every content once.
  ///
  /// @param head the hash that the chain is to end with
  /// @throws StoreException if the store is away
  public static Verdict verify(List<Changeset> chain, String head, Contents contents) {
    return new Verify(chain, head, contents).run();
  }

  private Verdict run() {
    for (var slice : Slices.of(chain, Parts::bytes)) {
      var altered = sets(slice);
      if (altered.isPresent()) {
        return altered.get();
      }
    }
    return link.equals(head)
        ? new Verdict.Intact(chain.size(), entries, named.size(), head)
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

  /// Those that are in order; of the others what there is.
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
    if (chain.isEmpty() || head.equals(Seal.NONE)) {
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
