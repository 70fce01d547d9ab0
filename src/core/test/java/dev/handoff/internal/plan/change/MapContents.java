package dev.handoff.internal.plan.change;

import dev.handoff.StoreException;
import dev.handoff.plan.ContentRef;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// In-memory contents that can be lost or damaged. Like a store, a request fails completely if any
/// requested content is damaged.
public final class MapContents implements ContentReader {

  private final Map<String, byte[]> kept = new TreeMap<>();

  /// Requests so far, one element per request.
  public final List<Collection<String>> asked = new ArrayList<>();

  public ContentRef put(byte[] content) {
    var sha = ChainHash.of(content);
    kept.put(sha, content.clone());
    return new ContentRef(sha, content.length);
  }

  public @Nullable ContentRef put(@Nullable String text) {
    return text == null ? null : put(text.getBytes(StandardCharsets.UTF_8));
  }

  public void lose(String sha256) {
    kept.remove(sha256);
  }

  /// Replaces the content without changing its hash.
  public void damage(String sha256, byte[] other) {
    kept.put(sha256, other);
  }

  public String text(ContentRef ref) {
    return new String(kept.get(ref.sha256()), StandardCharsets.UTF_8);
  }

  @Override
  public Map<String, byte[]> read(Collection<String> sha256s) {
    asked.add(List.copyOf(sha256s));
    var found = new HashMap<String, byte[]>();
    for (var sha : sha256s) {
      var content = kept.get(sha);
      if (content != null && !ChainHash.of(content).equals(sha)) {
        throw new StoreException.Unreadable("blob " + sha + " is damaged", null);
      }
      if (content != null) {
        found.put(sha, content);
      }
    }
    return found;
  }

  @Override
  public byte @Nullable [] asStored(String sha256) {
    return kept.get(sha256);
  }
}
