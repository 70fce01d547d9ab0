package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.WriteResult.Written;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Removes each protection in turn and expects the damage that it prevents. Without that damage,
/// the tests of the protection would prove nothing.
@DisplayName("A store without its protection")
@ParameterizedClass
@EnumSource(names = {"FILE", "POSTGRES"})
class ProtectionTest {

  private static final UnaryOperator<String> ANY_INCARNATION =
      sql -> sql.replace("incarnation = ?", "(incarnation = ? OR true)");
  private static final UnaryOperator<String> ANY_NUMBER =
      sql -> sql.replace("AND seq = ?", "AND (seq = ? OR true)");

  private final StoreHome home;

  ProtectionTest(StoreKind kind) {
    home = new StoreHome(kind);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void letsAFormerOwnerWrite() {
    Store store = home.open(new FaultyDatabase(ANY_INCARNATION));
    PartitionOwner former = PartitionOwner.of(store, 0);
    PartitionOwner.of(store, 0);

    assertThat(former.write(row(1))).isEqualTo(new Written(1));
  }

  @Test
  void letsAFormerOwnerCompleteACheckpoint() {
    Store store = home.open(new FaultyDatabase(ANY_INCARNATION));
    PartitionOwner former = PartitionOwner.of(store, 0);
    former.write();
    PartitionOwner.of(store, 0);

    former.checkpoint(1, 0, "of the former owner", true);

    assertThat(StoreReading.replay(store, 0)).doesNotContain("1: facts 1");
  }

  @Test
  void letsABatchLeaveAGap() {
    Store store = home.open(new FaultyDatabase(ANY_NUMBER));
    PartitionOwner owner = PartitionOwner.of(store, 0);

    StoreBatch ahead = owner.batch(5, "ahead", List.of(), List.of());

    assertThat(get(owner.hand(ahead))).isEqualTo(new Written(5));
  }
}
