package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreAround;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contents of a store")
class StoreContentsTest {

  private static final PackedBlob A = PackedBlob.of(new byte[] {1, 2, 3});
  private static final PackedBlob EMPTY = PackedBlob.of(new byte[0]);
  private static final String DAMAGED = "d".repeat(64);
  private static final String UNREADABLE = "e".repeat(64);
  private static final String MISSING = "f".repeat(64);

  /// Contents stored under wrong hashes.
  private final Map<String, StoredBlob> damaged =
      Map.of(
          DAMAGED, new StoredBlob(new byte[] {7}, false),
          UNREADABLE, new StoredBlob(new byte[0], false));

  private final Store store =
      new StoreAround(
          StoreOpener.open(
              new StoreSettings(
                  new StoreSettings.Memory(), 1, StoreSettings.Access.OWN, "the test"))) {
        @Override
        public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
          return super.blobs(sha256s)
              .thenApply(
                  found -> {
                    var all = new HashMap<>(found);
                    damaged.forEach(
                        (sha256, stored) -> {
                          if (sha256s.contains(sha256)) {
                            all.put(sha256, stored);
                          }
                        });
                    return all;
                  });
        }
      };
  private final ContentReader contents = new StoreContents(store);

  StoreContentsTest() {
    BoundedWaits.get(store.keepBlobs(List.of(new BlobUse("plan", List.of(A, EMPTY), Set.of()))));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void areReadByTheirHashesWithoutWhatIsMissing() {
    var read = contents.read(List.of(A.sha256(), MISSING, A.sha256(), EMPTY.sha256()));

    assertThat(read).containsOnlyKeys(A.sha256(), EMPTY.sha256());
    assertThat(read.get(A.sha256())).containsExactly(1, 2, 3);
    assertThat(contents.read(List.of())).isEmpty();
  }

  @Test
  void areRefusedWhenOneOfThemIsDamaged() {
    assertThatThrownBy(() -> contents.read(List.of(A.sha256(), DAMAGED)))
        .isInstanceOf(StoreException.Unreadable.class)
        .hasMessageContaining(DAMAGED)
        .hasMessageContaining("verify the plans");
  }

  @Test
  void areShownAsTheyAreToWhoeverLooksForDamage() {
    assertThat(contents.asStored(A.sha256())).containsExactly(1, 2, 3);
    assertThat(contents.asStored(EMPTY.sha256())).isEmpty();
    assertThat(contents.asStored(DAMAGED)).containsExactly(7);
    assertThat(contents.asStored(UNREADABLE)).isNull();
    assertThat(contents.asStored(MISSING)).isNull();
  }

  @Test
  void areAwayWithTheirStore() {
    store.close();

    assertThatThrownBy(() -> contents.read(List.of(A.sha256())))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("closed");
    var broken =
        new StoreAround(store) {
          @Override
          public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
            return CompletableFuture.failedFuture(new AssertionError("an error of the JVM"));
          }
        };
    assertThatThrownBy(() -> new StoreContents(broken).asStored(MISSING))
        .hasRootCauseInstanceOf(AssertionError.class);
  }
}
