package dev.handoff.internal.store;

import static dev.handoff.StoreSettings.Access.OWN;
import static dev.handoff.StoreSettings.Access.READ;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.WriteResult.Away;
import dev.handoff.internal.store.WriteResult.Fenced;
import dev.handoff.internal.store.WriteResult.Refused;
import dev.handoff.internal.store.WriteResult.Written;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A store that outlives its process")
@ParameterizedClass
@EnumSource(names = {"FILE", "POSTGRES"})
class StoreOpeningTest {

  private final StoreKind kind;
  private final StoreHome home;

  StoreOpeningTest(StoreKind kind) {
    this.kind = kind;
    this.home = new StoreHome(kind);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isMadeWhenItIsOpenedFirst() {
    try (Store store = home.open()) {
      assertThat(store.info().kind()).isEqualTo(kind.name().toLowerCase());
      assertThat(store.info().partitions()).isEqualTo(StoreHome.PARTITIONS);
      assertThat(store.info().fresh()).isTrue();
    }
    try (Store store = home.open(0, OWN)) {
      assertThat(store.info().partitions()).isEqualTo(StoreHome.PARTITIONS);
      assertThat(store.info().fresh()).isFalse();
    }
  }

  @Test
  void remembersThatAnOpenerMayLeaveJobsWithoutARow() {
    var drops =
        new StoreSettings(home.settings(0, OWN).kind(), StoreHome.PARTITIONS, OWN, "a", true);
    try (Store store = home.open()) {
      assertThat(store.info().mayHaveDropped()).isFalse();
    }
    for (int round = 0; round < 2; round++) {
      try (Store store = home.open(drops, UnaryOperator.identity())) {
        assertThat(store.info().mayHaveDropped()).isTrue();
      }
    }

    try (Store store = home.open(0, READ)) {
      assertThat(store.info().mayHaveDropped()).isTrue();
    }
  }

  @Test
  void holdsEverythingWhenItIsOpenedAgain() {
    PartitionOwner before;
    var content = PackedBlob.of(HistoryRows.bytes("a content"));
    try (Store store = home.open()) {
      before = PartitionOwner.of(store, 0);
      before.write(row(1));
      before.write(row(2));
      before.checkpoint(1, 0, "a", true);
      get(store.keepBlobs(List.of(new BlobUse(id(9), List.of(content), Set.of()))));
    }

    Store store = home.open();

    assertThat(StoreReading.replay(store, 0)).containsExactly("states: a", "2: facts 2");
    assertThat(get(store.find(id(1)))).isPresent();
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 2L));
    assertThat(get(store.blobs(List.of(content.sha256()))).get(content.sha256()).content())
        .asString()
        .isEqualTo("a content");
    PartitionOwner after = PartitionOwner.of(store, 0);
    assertThat(after.seq()).isEqualTo(2);
    assertThat(after.incarnation()).isGreaterThan(before.incarnation());
    assertThat(get(store.write(before.next()))).isInstanceOf(Fenced.class);
    assertThat(after.write(row(3))).isEqualTo(new Written(3));
  }

  @Test
  void isHeldByOneOwnerWhomTheSecondIsTold() {
    Store first = home.open();

    assertThatThrownBy(() -> home.open())
        .isInstanceOf(StoreException.Held.class)
        .hasMessageContaining("held by the test on this host, which is this process: close");
    assertThatThrownBy(() -> home.open(0, READ))
        .isInstanceOf(StoreException.Held.class)
        .hasMessageContaining("held by the test on this host");

    assertThat(PartitionOwner.of(first, 0).write()).isEqualTo(new Written(1));
    first.close();
    home.open().close();
  }

  @Test
  void isReadByManyWhileNobodyOwnsIt() {
    try (Store store = home.open()) {
      PartitionOwner.of(store, 1).write(row(1));
    }

    Store one = home.open(0, READ);
    Store other = home.open(StoreHome.PARTITIONS, READ);

    assertThat(StoreReading.replay(one, 1)).containsExactly("1: facts 1");
    assertThat(get(other.find(id(1)))).isPresent();
    assertThatThrownBy(() -> home.open())
        .isInstanceOf(StoreException.Held.class)
        .message()
        .containsPattern("(stop that process|close what has it open here) first, or ");
    one.close();
    other.close();
    home.open().close();
  }

  @Test
  void isNotWrittenByAReader() {
    home.open().close();
    Store store = home.open(0, READ);

    assertThat(get(store.write(new StoreBatch(0, 0, 1, new byte[0], List.of(), List.of()))))
        .isInstanceOfSatisfying(
            Refused.class, it -> assertThat(it.reason()).contains("opened for reading only"));
    assertThat(get(store.writeChunk(new CheckpointChunk(0, 0, 0, 0, new byte[0], true))))
        .isInstanceOf(Refused.class);
    assertThatThrownBy(() -> get(store.takeOver(0, "me"))).isInstanceOf(StoreException.Unfit.class);
    assertThatThrownBy(() -> get(store.trim(0, 0, 1))).isInstanceOf(StoreException.Unfit.class);
    assertThatThrownBy(() -> get(store.forget(Instant.MAX, 1)))
        .isInstanceOf(StoreException.Unfit.class);
    assertThatThrownBy(() -> get(store.keepBlobs(List.of())))
        .isInstanceOf(StoreException.Unfit.class);
  }

  @Test
  void isNotMadeByAReader() {
    assertThatThrownBy(() -> home.open(StoreHome.PARTITIONS, READ))
        .isInstanceOf(StoreException.Missing.class)
        .hasMessageContaining("there is no store in");
    assertThat(home.open().info().fresh()).isTrue();
  }

  @Test
  void isNotMadeWithSuchANumberOfPartitions() {
    for (int partitions : new int[] {-1, 1_025}) {
      assertThatThrownBy(() -> home.open(partitions, OWN))
          .isInstanceOf(StoreException.Unfit.class)
          .hasMessageContaining("" + partitions);
    }
  }

  @Test
  void getsTheUsualNumberOfPartitionsOfItsKindIfNobodySays() {
    int usual = home.settings(0, OWN).kind().usualPartitions();

    try (var store = home.open(0, OWN)) {
      assertThat(store.info().partitions()).isEqualTo(usual);
    }
  }

  @Test
  void keepsItsNumberOfPartitions() {
    home.open().close();

    assertThatThrownBy(() -> home.open(4, OWN))
        .isInstanceOf(StoreException.Unfit.class)
        .hasMessageContaining("made with 3 partitions, 4 are asked for");
    home.open(3, OWN).close();
    try (var store = home.open(0, OWN)) {
      assertThat(store.info().partitions()).isEqualTo(3);
    }
  }

  @Test
  void isRefusedWhenANewerProgramMadeIt() {
    home.open().close();
    sql("UPDATE handoff_meta SET value = '99' WHERE name = 'version'");
    sql(
        "INSERT INTO handoff_history (id, kind, status, type, queue, labels, attempt, created_at,"
            + " finished_at, state) VALUES ('of another', 'kind', 's', 't', 'q', '', 1, 0, 0, "
            + (kind == StoreKind.FILE ? "x''" : "''")
            + ")");

    assertThatThrownBy(() -> home.open())
        .isInstanceOf(StoreException.Unreadable.class)
        .hasMessageContaining("version 99")
        .hasMessageContaining("up to version " + StoreLayout.VERSION);
    assertThatThrownBy(() -> home.open(0, READ)).isInstanceOf(StoreException.Unreadable.class);

    sql("DELETE FROM handoff_history");
    sql(
        "UPDATE handoff_meta SET value = '%d' WHERE name = 'version'"
            .formatted(StoreLayout.VERSION));
    home.open().close();
  }

  @Test
  void isRefusedWhenWhatItSaysOfItselfIsNoSense() {
    home.open().close();

    sql("UPDATE handoff_meta SET value = 'x' WHERE name = 'partitions'");
    assertThatThrownBy(() -> home.open()).isInstanceOf(StoreException.Unreadable.class);
    sql("UPDATE handoff_meta SET value = '3' WHERE name = 'partitions'");
    sql("UPDATE handoff_meta SET value = '0' WHERE name = 'version'");
    assertThatThrownBy(() -> home.open()).isInstanceOf(StoreException.Unreadable.class);
    sql(
        "UPDATE handoff_meta SET value = '%d' WHERE name = 'version'"
            .formatted(StoreLayout.VERSION));
    sql("DELETE FROM handoff_partition WHERE id = 2");
    assertThatThrownBy(() -> home.open())
        .isInstanceOf(StoreException.Unreadable.class)
        .hasMessageContaining("rows for 2 of its 3 partitions");
  }

  @Test
  void isLoudAboutARowThatIsGone() {
    try (Store store = home.open()) {
      PartitionOwner owner = PartitionOwner.of(store, 0);
      for (int batch = 0; batch < 4; batch++) {
        owner.write();
      }
      owner.checkpoint(1, 0, "a", false);
      owner.checkpoint(1, 1, "b", false);
      owner.checkpoint(1, 2, "c", true);
    }

    assertReplayFails("DELETE FROM handoff_ledger WHERE seq = 3", "batch 3 is missing");
    assertReplayFails("DELETE FROM handoff_ledger WHERE seq > 1", "batch 2 is missing");
    assertReplayFails("DELETE FROM handoff_checkpoint WHERE number = 2", "chunk 2 of checkpoint 1");
    assertReplayFails("DELETE FROM handoff_checkpoint WHERE number = 1", "chunk 1 of checkpoint 1");
    assertReplayFails("DELETE FROM handoff_checkpoint", "chunk 0 of checkpoint 1");
    assertReplayFails(
        "UPDATE handoff_partition SET checkpoint = 0, seq = 0 WHERE id = 0",
        "beyond the last batch 0");
  }

  /// Damages the store further, and expects its replay to fail at this place.
  private void assertReplayFails(String damage, String place) {
    sql(damage);
    try (Store store = home.open()) {
      assertThatThrownBy(() -> StoreReading.pages(store, 0))
          .isInstanceOf(StoreException.Unreadable.class)
          .hasMessageContaining("partition 0")
          .hasMessageContaining(place);
    }
  }

  @Test
  void answersWhenItIsClosed() {
    Store store = home.open();
    store.close();
    store.close();

    assertThat(get(store.write(new StoreBatch(0, 0, 1, new byte[0], List.of(), List.of()))))
        .isInstanceOfSatisfying(Away.class, away -> assertThat(away.reason()).contains("closed"));
    assertThatThrownBy(() -> get(store.find("x")))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("the store is closed");
    assertThatThrownBy(() -> get(store.keepBlobs(List.of())))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("storing contents: the store is closed");
  }

  @Test
  void writesWhatWasHandedInBeforeItIsClosed() {
    Store store = home.open();
    PartitionOwner owner = PartitionOwner.of(store, 0);
    for (int batch = 0; batch < 50; batch++) {
      owner.hand(owner.next());
    }

    store.close();

    assertThat(StoreReading.replay(home.open(), 0)).hasSize(50);
  }

  @Test
  void saysWhichPieceOfACheckpointIsMissing() {
    try (Store store = home.open()) {
      PartitionOwner owner = PartitionOwner.of(store, 0);
      owner.write(row(1));
      for (int chunk = 0; chunk < 3; chunk++) {
        owner.checkpoint(1, chunk, "states", chunk == 2);
      }
    }
    sql("DELETE FROM handoff_checkpoint WHERE number = 1");

    try (Store store = home.open()) {
      assertThatThrownBy(() -> StoreReading.pages(store, 0))
          .isInstanceOf(StoreException.Unreadable.class)
          .hasMessageContaining("partition 0, chunk 1 of checkpoint 1 is missing");
    }
  }

  @Test
  void saysThatARowOfAPartitionHasGone() {
    try (Store store = home.open()) {
      sql("DELETE FROM handoff_partition WHERE id = 1");

      assertThatThrownBy(() -> get(store.takeOver(1, "me")))
          .isInstanceOf(StoreException.Unreadable.class)
          .hasMessageContaining("partition 1 has no row");
      assertThatThrownBy(() -> StoreReading.pages(store, 1))
          .isInstanceOf(StoreException.Unreadable.class)
          .hasMessageContaining("partition 1 has no row");
    }
  }

  private void sql(String statement) {
    try (var connection = DriverManager.getConnection(home.jdbcUrl());
        var update = connection.createStatement()) {
      update.execute(statement);
    } catch (SQLException failure) {
      throw new IllegalStateException(statement, failure);
    }
  }
}
