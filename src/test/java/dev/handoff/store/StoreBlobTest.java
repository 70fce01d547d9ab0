package dev.handoff.store;

import static dev.handoff.store.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Content stored by its hash")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreBlobTest {

  private final StoreHome home;
  private final Store store;

  StoreBlobTest(StoreKind kind) {
    home = new StoreHome(kind);
    store = home.open();
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isGivenBackAndMayBeStoredAgain() throws Exception {
    byte[] large = new byte[10 << 20];
    Arrays.fill(large, (byte) 7);
    byte[] empty = {};

    get(store.putBlobs(Map.of(sha256(large), large, sha256(empty), empty)));
    get(store.putBlobs(Map.of(sha256(large), large)));

    assertThat(get(store.blob(sha256(large))))
        .hasValueSatisfying(it -> assertThat(it).isEqualTo(large));
    assertThat(get(store.blob(sha256(empty)))).hasValueSatisfying(it -> assertThat(it).isEmpty());
    assertThat(get(store.blob("0".repeat(64)))).isEmpty();
  }

  @Test
  void isRefusedWhenItIsNotWhatItsHashNames() {
    String wrong = "0".repeat(64);
    get(store.putBlobs(Map.of(wrong, new byte[] {1})));

    assertThatThrownBy(() -> get(store.blob(wrong)))
        .isInstanceOf(StoreException.Unreadable.class)
        .hasMessageContaining(wrong);
  }

  @Test
  void isRefusedUnderANameThatCannotBeStored() {
    assertThatThrownBy(() -> get(store.putBlobs(Map.of("\0", new byte[0]))))
        .isInstanceOf(StoreException.Unfit.class);
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
