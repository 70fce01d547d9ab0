package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StoredPlanSamples.blob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.internal.store.sqlite.SqliteInternals;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A content that was altered in its table")
@ParameterizedClass
@EnumSource(names = {"FILE", "POSTGRES"})
class StoreBlobDamageTest {

  private static final PackedBlob CONTENT = blob("a content");
  private static final PackedBlob OTHER = blob("another");

  private final StoreKind kind;
  private final StoreHome home;
  private final Store store;
  private final StoredPlanSamples plans;

  StoreBlobDamageTest(StoreKind kind) {
    this.kind = kind;
    this.home = new StoreHome(kind);
    store = home.open();
    plans = new StoredPlanSamples(store);
    plans.keep(1, CONTENT, OTHER);
    if (kind == StoreKind.FILE) {
      moveIntoTheIndex();
    }
  }

  private void moveIntoTheIndex() {
    try {
      assertThat(SqliteInternals.moveIntoTheIndex(home.jdbcUrl())).isTrue();
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @AfterEach
  void close() {
    home.close();
  }

  private StoredBlob read(PackedBlob blob) {
    return get(store.blobs(List.of(blob.sha256()))).get(blob.sha256());
  }

  private void alter(byte[] packed) {
    var sql =
        kind == StoreKind.FILE
            ? "UPDATE handoff_content SET bytes = ? WHERE place ="
                + " (SELECT place FROM handoff_blob WHERE sha256 = ?)"
            : "UPDATE handoff_blob SET bytes = ? WHERE sha256 = ?";
    update(sql, packed, ContentHashes.bytes(CONTENT.sha256()));
  }

  private void update(String sql, byte[]... values) {
    try (var connection = DriverManager.getConnection(home.jdbcUrl());
        var update = connection.prepareStatement(sql)) {
      for (int at = 0; at < values.length; at++) {
        update.setBytes(at + 1, values[at]);
      }
      assertThat(update.executeUpdate()).isEqualTo(1);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void isShownAsItIsWithAWord() {
    var packed = CONTENT.packed().clone();
    packed[3] ^= 1;
    alter(packed);

    assertThat(read(CONTENT).intact()).isFalse();
    assertThat(read(CONTENT).content()).asString().isEqualTo("a bontent");
    assertThat(read(OTHER).intact()).isTrue();
  }

  @Test
  void isEmptyWhenItCannotBeUnpacked() {
    alter(new byte[] {1, 7, 7, 7});
    assertThat(read(CONTENT)).satisfies(StoreBlobDamageTest::isUnreadable);

    alter(new byte[0]);
    assertThat(read(CONTENT)).satisfies(StoreBlobDamageTest::isUnreadable);
  }

  private static void isUnreadable(StoredBlob stored) {
    assertThat(stored.intact()).isFalse();
    assertThat(stored.content()).isEmpty();
  }

  @Test
  void isEmptyWhenItsBytesAreGone() {
    if (kind == StoreKind.FILE) {
      update("DELETE FROM handoff_content WHERE place = (SELECT min(place) FROM handoff_content)");
      var lost = List.of(CONTENT, OTHER).stream().map(this::read).filter(it -> !it.intact());

      assertThat(lost).hasSize(1).allSatisfy(StoreBlobDamageTest::isUnreadable);
    }
  }

  @Test
  void isEmptyWhenItsBytesAreGoneBeforeItIsInTheIndex() {
    if (kind == StoreKind.FILE) {
      var late = StoredPlanSamples.blob("late");
      plans.keep(2, late);
      update("DELETE FROM handoff_content WHERE place = (SELECT max(place) FROM handoff_content)");

      assertThat(read(late)).satisfies(StoreBlobDamageTest::isUnreadable);
      assertThat(read(OTHER).intact()).isTrue();
    }
  }

  @Test
  void isForgottenAllTheSame() {
    alter(new byte[0]);
    update(
        "UPDATE handoff_blob_use SET hashes = " + (kind == StoreKind.FILE ? "x'00'" : "'\\x00'"));
    plans.end(1);

    assertThat(get(store.forget(Instant.MAX, StoredPlanSamples.SLICE))).isEqualTo(1);
    assertThat(get(store.forget(Instant.MAX, StoredPlanSamples.SLICE))).isZero();
  }

  @Test
  void isNotMissedByWhoeverGivesItsUseBack() {
    update("DELETE FROM handoff_blob WHERE sha256 = ?", ContentHashes.bytes(CONTENT.sha256()));
    plans.end(1);

    assertThat(get(store.forget(Instant.MAX, StoredPlanSamples.SLICE))).isEqualTo(1);

    assertThat(plans.there(CONTENT, OTHER)).isEmpty();
  }

  /// Removes the use counts, which keep a blob shared by two plans.
  @Test
  void isLostToTheSecondPlanIfUsesAreNotCounted() {
    store.close();
    UnaryOperator<String> uncounted =
        sql ->
            sql.replace("SET uses = now.uses", "SET uses = least(b.uses, now.uses)")
                .replace("SET uses = excluded.uses", "SET uses = min(uses, excluded.uses)");
    var careless = new StoredPlanSamples(home.open(new FaultyDatabase(uncounted)));

    careless.keep(2, CONTENT);
    careless.end(1);
    careless.forgetUpTo(1);

    assertThat(careless.there(CONTENT, OTHER)).isEmpty();
    assertThatThrownBy(() -> BlobCounts.check(kind, home)).isInstanceOf(AssertionError.class);
  }

  /// Removes the list of plans being forgotten, which a crash between two slices needs.
  @Test
  void isNeverGivenBackIfNobodyWritesDownWhoIsForgotten() {
    store.close();
    UnaryOperator<String> forgetful =
        sql ->
            sql.replace(
                "WHERE EXISTS (SELECT 1 FROM handoff_blob_use",
                "WHERE EXISTS (SELECT 1 FROM handoff_blob_gone");
    var careless = new StoredPlanSamples(home.open(new FaultyDatabase(forgetful)));

    careless.end(1);
    careless.forgetUpTo(1);

    assertThat(careless.there(CONTENT, OTHER)).hasSize(2);
  }
}
