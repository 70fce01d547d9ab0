package dev.handoff.internal.plan.change;

import dev.handoff.StoreException;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoredBlob;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// Reader of contents from a store, for threads that may block.
public final class StoreContents implements ContentReader {

  private final Store store;

  public StoreContents(Store store) {
    this.store = store;
  }

  @Override
  public Map<String, byte[]> read(Collection<String> sha256s) {
    var contents = new HashMap<String, byte[]>();
    stored(Set.copyOf(sha256s))
        .forEach((sha256, stored) -> contents.put(sha256, intact(sha256, stored)));
    return contents;
  }

  private static byte[] intact(String sha256, StoredBlob stored) {
    if (!stored.intact()) {
      throw new StoreException.Unreadable(
          "the content %s is damaged: what is stored under this hash is something else; verify the plans that use it"
              .formatted(sha256),
          null);
    }
    return stored.content();
  }

  @Override
  public byte @Nullable [] asStored(String sha256) {
    var stored = stored(List.of(sha256)).get(sha256);
    boolean unreadable = stored == null || (!stored.intact() && stored.content().length == 0);
    return unreadable ? null : stored.content();
  }

  private Map<String, StoredBlob> stored(Collection<String> sha256s) {
    try {
      return store.blobs(sha256s).toCompletableFuture().join();
    } catch (CompletionException failure) {
      throw StageFailures.cause(failure) instanceof RuntimeException cause ? cause : failure;
    }
  }
}
