package dev.handoff.plan.change;

import dev.handoff.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Contents in a map, which can be lost and damaged. Like a store it refuses all that it is asked
/// for together if one of it is damaged.
public final class MapContents implements Contents {

  private final Map<String, byte[]> kept = new TreeMap<>();

  /// What was asked for, one element for each time.
  public final List<Collection<String>> asked = new ArrayList<>();

  public ContentRef put(byte[] content) {
    var sha = Seal.of(content);
    kept.put(sha, content.clone());
    return new ContentRef(sha, content.length);
  }

  public @Nullable ContentRef put(@Nullable String text) {
    return text == null ? null : put(text.getBytes(StandardCharsets.UTF_8));
  }

  public void lose(String sha256) {
    kept.remove(sha256);
  }

  /// Puts something else in its place.
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
      if (content != null && !Seal.of(content).equals(sha)) {
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
