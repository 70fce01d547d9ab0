package dev.handoff.internal.store;

import static dev.handoff.StoreSettings.Access.OWN;
import static dev.handoff.StoreSettings.Access.READ;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.FaultyDatabase.Moment;
import dev.handoff.internal.store.WriteResult.Written;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A store of a former version")
@ParameterizedClass
@EnumSource(names = {"FILE", "POSTGRES"})
class StoreVersionTest {

  private static final String VERSION = "SELECT value FROM handoff_meta WHERE name = 'version'";
  private static final PackedBlob TEXT = blob("a line that is said again\n".repeat(8));
  private static final PackedBlob SHARED = blob("shared");
  private static final PackedBlob OF_ANOTHER = blob("of another");

  private final StoreKind kind;
  private final StoreHome home;

  StoreVersionTest(StoreKind kind) {
    this.kind = kind;
    this.home = new StoreHome(kind);
  }

  @AfterEach
  void close() {
    home.close();
  }

  private static PackedBlob blob(String text) {
    return PackedBlob.of(HistoryRows.bytes(text));
  }

  private static BlobUse keeping(long owner, PackedBlob... contents) {
    return new BlobUse(id(owner), List.of(contents), Set.of());
  }

  private static void assertHoldsWhatItHeld(Store store) {
    assertThat(store.info().fresh()).isFalse();
    assertThat(StoreReading.replay(store, 0))
        .containsExactly("states: states 0", "states: states 1", "3: facts 3", "4: reopened");
    assertThat(StoreReading.replay(store, 1)).containsExactly("1: facts 1");
    assertThat(get(store.list(HistoryQuery.newest(10))))
        .map(HistoryRow::id)
        .containsExactly(id(9), id(2), id(1));
    assertThat(get(store.findKeys(List.of("a key"))))
        .containsOnly(Map.entry("a key", new KeyHolder(id(2), "a key", null, true)));
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 2L, "failed", 1L));
    assertThat(get(store.find(id(9))).orElseThrow().state()).containsExactly(0, -1, 127, -128);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void isOpenedWithEverythingInItAndHasTheTablesOfThisOne(int version) throws Exception {
    GoldenStore.restore(kind, version, home);

    try (Store store = home.open(0, OWN)) {
      assertHoldsWhatItHeld(store);
      var owner = PartitionOwner.of(store, 0);
      assertThat(owner.write(HistoryRows.fingerprinted(5, "k", "f"))).isEqualTo(new Written(5));
      assertThat(get(store.findKeys(List.of("k"))))
          .containsOnly(Map.entry("k", new KeyHolder(id(5), "k", "f", true)));
      assertThat(get(store.keepBlobs(List.of(keeping(9, blob("new")))))).containsOnly(Set.of());
      assertThat(get(store.blobs(List.of(blob("new").sha256())))).hasSize(1);
    }

    assertThat(GoldenStore.texts(home, VERSION)).containsExactly("4");
    home.open(0, READ).close();
    try (var fresh = new StoreHome(kind)) {
      fresh.open(GoldenStore.PARTITIONS, OWN).close();
      assertThat(GoldenStore.schema(kind, home)).isEqualTo(GoldenStore.schema(kind, fresh));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void isReadAsItIs(int version) throws Exception {
    GoldenStore.restore(kind, version, home);
    var before = GoldenStore.schema(kind, home);

    home.open(0, READ).close();

    try (Store store = home.open(0, READ)) {
      assertHoldsWhatItHeld(store);
    }
    assertThat(GoldenStore.texts(home, VERSION)).containsExactly("" + version);
    assertThat(GoldenStore.schema(kind, home)).isEqualTo(before);
  }

  @Test
  void isReadAsItIsWithoutContentsIfItNeverHadAny() throws Exception {
    GoldenStore.restore(kind, 1, home);
    var before = GoldenStore.schema(kind, home);

    try (Store store = home.open(0, READ)) {
      assertHoldsWhatItHeld(store);
      assertThat(get(store.blobs(List.of(TEXT.sha256())))).isEmpty();
    }

    assertThat(GoldenStore.texts(home, VERSION)).containsExactly("1");
    assertThat(GoldenStore.schema(kind, home)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(StoreSettings.Access.class)
  void givesBackItsContents(StoreSettings.Access access) throws Exception {
    GoldenStore.restore(kind, 2, home);
    if (access == StoreSettings.Access.SHARE && kind == StoreKind.FILE) {
      return;
    }
    var wanted = List.of(TEXT, SHARED, OF_ANOTHER);

    try (Store store = home.open(0, access)) {
      var contents = get(store.blobs(wanted.stream().map(PackedBlob::sha256).toList()));

      assertThat(contents.values()).hasSize(3).allMatch(StoredBlob::intact);
      assertThat(contents.get(TEXT.sha256()).content()).asString().startsWith("a line that");
    }
  }

  @Test
  void givesUsesBackThatItCounted() throws Exception {
    GoldenStore.restore(kind, 2, home);

    try (Store store = home.open(0, OWN)) {
      get(store.forget(Instant.MAX, 100));

      assertThat(get(store.blobs(List.of(TEXT.sha256(), SHARED.sha256(), OF_ANOTHER.sha256()))))
          .containsOnlyKeys(SHARED.sha256(), OF_ANOTHER.sha256());
    }
    BlobCounts.check(kind, home);
  }

  /// Breaks each statement of the upgrade in turn.
  @ParameterizedTest
  @EnumSource(Moment.class)
  void isOfTheOneVersionOrOfTheOtherWhenItsUpgradeBreaksOff(Moment moment) throws Exception {
    GoldenStore.restore(kind, 1, home);
    int broken = 0;
    boolean struck = true;
    for (int statement = 1; struck; statement++) {
      var database = new FaultyDatabase();
      database.arm(
          statement,
          moment,
          connection -> {
            connection.close();
            return new SQLException("the connection was reset", "08006");
          });
      try {
        home.open(home.settings(0, OWN), database).close();
      } catch (StoreException.Unavailable told) {
        broken++;
      }
      struck = database.struck();
      database.disarm();
      assertThat(GoldenStore.texts(home, VERSION)).containsAnyOf("1", "4");
      try (Store store = home.open(0, READ)) {
        assertHoldsWhatItHeld(store);
        assertThat(get(store.blobs(List.of(TEXT.sha256())))).isEmpty();
      }
    }

    assertThat(broken).isGreaterThan(5);
    assertThat(GoldenStore.texts(home, VERSION)).containsExactly("4");
  }

  @Test
  void isNotReadByAProgramThatIsOlder() throws Exception {
    GoldenStore.restore(kind, 2, home);

    assertThatThrownBy(
            () -> StoreLayout.check(Map.of("version", "5", "partitions", "2"), 0, "here"))
        .isInstanceOf(StoreException.Unreadable.class)
        .hasMessageContaining("reads up to version 4");
  }
}
