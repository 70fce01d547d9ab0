package dev.handoff.internal.plan.change;

import dev.handoff.StoreException;
import dev.handoff.plan.ChainVerdict.Altered;
import dev.handoff.plan.ContentRef;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Check that the contents named by entries exist and match their hashes. Each content is read
/// once.
final class ContentCheck {

  private final ContentReader contents;
  private final Set<String> seen = new HashSet<>();

  /// Content with the entry that names it.
  record Named(Changeset set, int entry, String path, ContentRef content) {}

  ContentCheck(ContentReader contents) {
    this.contents = contents;
  }

  /// Number of distinct contents checked.
  int size() {
    return seen.size();
  }

  /// First missing or altered content.
  Optional<Altered> altered(List<Named> named) {
    var fresh = named.stream().filter(one -> seen.add(key(one.content()))).toList();
    for (var slice : MemorySlices.of(fresh, one -> one.content().bytes())) {
      var read = read(slice);
      for (var one : slice) {
        var wrong = wrong(one.content(), content(one.content(), read));
        if (wrong.isPresent()) {
          return wrong.map(what -> ChainVerifier.of(one.set(), one.entry(), one.path(), what));
        }
      }
    }
    return Optional.empty();
  }

  private static String key(ContentRef content) {
    return content.sha256() + ":" + content.bytes();
  }

  private Map<String, byte[]> read(List<Named> slice) {
    try {
      return contents.read(slice.stream().map(one -> one.content().sha256()).distinct().toList());
    } catch (StoreException.Unreadable oneByOne) {
      return Map.of();
    }
  }

  private byte @Nullable [] content(ContentRef ref, Map<String, byte[]> read) {
    var content = read.get(ref.sha256());
    return content == null ? contents.asStored(ref.sha256()) : content;
  }

  private static Optional<String> wrong(ContentRef ref, byte @Nullable [] content) {
    if (content == null) {
      return Optional.of("its content " + ref.sha256() + " is missing, or cannot be read");
    }
    if (!ChainHash.of(content).equals(ref.sha256())) {
      return Optional.of("its content " + ref.sha256() + " was altered");
    }
    return content.length == ref.bytes()
        ? Optional.empty()
        : Optional.of(
            "its content "
                + ref.sha256()
                + " is "
                + content.length
                + " bytes long, not "
                + ref.bytes());
  }
}
