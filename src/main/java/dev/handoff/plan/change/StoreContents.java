package dev.handoff.plan.change;

import dev.handoff.store.Store;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Contents as a store has them.
public record StoreContents(Store store) implements Contents {

  @Override
  public Map<String, byte[]> read(Collection<String> sha256s) {
    var found = new HashMap<String, byte[]>();
    for (var sha256 : sha256s) {
      store.blob(sha256).toCompletableFuture().join().ifPresent(one -> found.put(sha256, one));
    }
    return found;
  }

  @Override
  public byte @Nullable [] asStored(String sha256) {
    return read(java.util.List.of(sha256)).get(sha256);
  }
}
