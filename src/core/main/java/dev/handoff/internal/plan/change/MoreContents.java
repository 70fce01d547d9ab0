package dev.handoff.internal.plan.change;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stored contents together with contents in memory.
record MoreContents(ContentReader stored, Map<String, byte[]> more) implements ContentReader {

  @Override
  public Map<String, byte[]> read(Collection<String> sha256s) {
    var missing = sha256s.stream().filter(sha -> !more.containsKey(sha)).toList();
    var found = new HashMap<>(missing.isEmpty() ? Map.of() : stored.read(missing));
    for (var sha : sha256s) {
      var content = more.get(sha);
      if (content != null) {
        found.put(sha, content);
      }
    }
    return found;
  }

  @Override
  public byte @Nullable [] asStored(String sha256) {
    var content = more.get(sha256);
    return content == null ? stored.asStored(sha256) : content;
  }
}
