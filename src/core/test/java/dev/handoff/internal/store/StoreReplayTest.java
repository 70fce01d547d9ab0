package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StoreReading.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.internal.store.WriteResult.Fenced;
import dev.handoff.internal.store.WriteResult.Refused;
import dev.handoff.internal.store.WriteResult.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A partition that is read back")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreReplayTest {

  private final StoreKind kind;
  private final StoreHome home;
  private final Store store;
  private PartitionOwner owner;

  StoreReplayTest(StoreKind kind) {
    this.kind = kind;
    home = new StoreHome(kind);
    store = home.open();
    owner = PartitionOwner.of(store, 1);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isEmptyAtFirst() {
    PartitionReplay.Page page = get(store.replay(1, PartitionReplay.Position.START));

    assertThat(page.pieces()).isEmpty();
    assertThat(page.last()).isTrue();
  }

  @Test
  void holdsItsLastCompleteCheckpointAndWhatCameAfterThroughEveryStep() {
    write(4);
    assertThat(replay(store, 1))
        .containsExactly("1: facts 1", "2: facts 2", "3: facts 3", "4: facts 4");

    owner.checkpoint(2, 0, "a", false);
    assertThat(replay(store, 1)).hasSize(4).startsWith("1: facts 1");

    owner.checkpoint(2, 1, "b", true);
    assertThat(replay(store, 1))
        .containsExactly("states: a", "states: b", "3: facts 3", "4: facts 4");

    assertThat(get(store.trim(1, owner.incarnation(), 1))).isTrue();
    assertThat(replay(store, 1))
        .containsExactly("states: a", "states: b", "3: facts 3", "4: facts 4");

    assertThat(get(store.trim(1, owner.incarnation(), 10))).isFalse();
    assertThat(replay(store, 1))
        .containsExactly("states: a", "states: b", "3: facts 3", "4: facts 4");

    owner.checkpoint(4, 0, "c", false);
    assertThat(replay(store, 1)).startsWith("states: a", "states: b", "3: facts 3");

    owner.write();
    owner.checkpoint(4, 1, "d", true);
    assertThat(replay(store, 1)).containsExactly("states: c", "states: d", "5: facts 5");

    trimAll();
    assertThat(replay(store, 1)).containsExactly("states: c", "states: d", "5: facts 5");
  }

  @Test
  void isHeldBySomebodyElseForAnOwnerThatIsReplacedWhileItReads() {
    write(3);
    var mine = PartitionReplay.Position.startOf(new PartitionOwnership(1, owner.incarnation(), 3));
    var next = get(store.replay(1, mine)).next();
    assertThat(get(store.replay(1, next)).last()).isTrue();

    owner = PartitionOwner.of(store, 1);

    for (var from : List.of(mine, next)) {
      assertThatThrownBy(() -> get(store.replay(1, from)))
          .isInstanceOf(StoreException.Held.class)
          .hasMessageContaining("was taken over by owner of 1, incarnation 2");
    }
    assertThat(replay(store, 1)).hasSize(3);
  }

  /// Rows that the new owner has trimmed are missing for the old owner; this is no damage.
  @Test
  void isNotTakenForDamagedByAnOwnerThatIsReplacedInTheMidstOfAPage() {
    Assumptions.assumeTrue(kind != StoreKind.MEMORY, "pages of a memory have no midst");
    write(3);
    owner.checkpoint(3, 0, "old", true);
    store.close();
    var midst = new AtomicBoolean(true);
    var opened = new AtomicReference<Store>();
    var database =
        new FaultyDatabase(
            sql -> {
              if (sql.contains("FROM handoff_checkpoint") && midst.getAndSet(false)) {
                var next = PartitionOwner.of(opened.get(), 1);
                next.write();
                next.checkpoint(4, 0, "new", true);
                get(opened.get().trim(1, next.incarnation(), 10));
              }
              return sql;
            });
    opened.set(home.open(database));
    var mine = get(opened.get().takeOver(1, "the old owner"));
    midst.set(true);

    assertThatThrownBy(() -> get(opened.get().replay(1, PartitionReplay.Position.startOf(mine))))
        .isInstanceOf(StoreException.Held.class);

    assertThat(midst).isFalse();
    assertThat(replay(opened.get(), 1)).containsExactly("states: new");
  }

  @Test
  void holdsTheOlderCheckpointWhenTheNewOneWasNeverFinished() {
    write(3);
    owner.checkpoint(1, 0, "old", true);
    owner.checkpoint(3, 0, "half of the new", false);

    owner = PartitionOwner.of(store, 1);
    trimAll();
    assertThat(replay(store, 1)).containsExactly("states: old", "2: facts 2", "3: facts 3");

    owner.checkpoint(3, 0, "new", true);
    trimAll();
    assertThat(replay(store, 1)).containsExactly("states: new");
  }

  @Test
  void neverMixesTheCheckpointsOfTwoOwners() {
    write(2);
    owner.checkpoint(2, 0, "first owner 0", false);
    owner.checkpoint(2, 1, "first owner 1", false);

    owner = PartitionOwner.of(store, 1);
    WriteResult gap = owner.checkpoint(2, 1, "second owner 1", true);
    owner.checkpoint(2, 0, "second owner 0", false);
    owner.checkpoint(2, 1, "second owner 1", true);

    assertThat(gap).isInstanceOf(Refused.class);
    assertThat(replay(store, 1))
        .containsExactly("states: second owner 0", "states: second owner 1");
    trimAll();
    assertThat(replay(store, 1))
        .containsExactly("states: second owner 0", "states: second owner 1");
  }

  @Test
  void keepsACheckpointThatIsUnderWayWhileItTrims() {
    write(4);
    owner.checkpoint(2, 0, "old", true);
    owner.checkpoint(4, 0, "new 0", false);

    trimAll();
    owner.checkpoint(4, 1, "new 1", true);

    assertThat(replay(store, 1)).containsExactly("states: new 0", "states: new 1");
  }

  @Test
  void takesAChunkAgainAndACompleteCheckpointAsDone() {
    write(2);

    assertThat(owner.checkpoint(2, 0, "a", false)).isEqualTo(new Written(2));
    assertThat(owner.checkpoint(2, 0, "a", false)).isEqualTo(new Written(2));
    assertThat(owner.checkpoint(2, 1, "b", true)).isEqualTo(new Written(2));
    assertThat(owner.checkpoint(2, 1, "b", true)).isEqualTo(new Written(2));
    assertThat(owner.checkpoint(2, 0, "late", false)).isEqualTo(new Written(2));
    assertThat(replay(store, 1)).containsExactly("states: a", "states: b");
  }

  @Test
  void refusesCheckpointsThatCannotBe() {
    write(3);

    assertThat(owner.checkpoint(4, 0, "ahead", true)).isInstanceOf(Refused.class);
    assertThat(owner.checkpoint(3, 1, "without the first", true)).isInstanceOf(Refused.class);
    owner.checkpoint(3, 0, "good", true);
    assertThat(owner.checkpoint(2, 0, "older", true)).isInstanceOf(Refused.class);
    assertThat(replay(store, 1)).containsExactly("states: good");
  }

  @Test
  void fencesTheCheckpointsOfAFormerOwner() {
    write(2);
    PartitionOwner former = owner;
    owner = PartitionOwner.of(store, 1);

    assertThat(former.checkpoint(2, 0, "late", true)).isInstanceOf(Fenced.class);
    owner.checkpoint(2, 0, "right", true);
    assertThat(get(store.trim(1, former.incarnation(), 100))).isFalse();
    assertThat(get(store.trim(1, owner.incarnation(), 1))).isTrue();
    assertThat(replay(store, 1)).containsExactly("states: right");
  }

  @Test
  void comesInPagesOfBoundedSize() {
    byte[] facts = new byte[1 << 20];
    for (int batch = 1; batch <= 10; batch++) {
      get(store.write(new StoreBatch(1, owner.incarnation(), batch, facts, List.of(), List.of())));
    }
    for (int chunk = 0; chunk < 10; chunk++) {
      get(
          store.writeChunk(
              new CheckpointChunk(1, owner.incarnation(), 5, chunk, facts, chunk == 9)));
    }

    List<PartitionReplay.Page> pages = StoreReading.pages(store, 1);

    assertThat(pages).allSatisfy(page -> assertThat(size(page)).isLessThanOrEqualTo(5 << 20));
    assertThat(pages).hasSizeLessThanOrEqualTo(5);
    assertThat(pages.stream().flatMap(page -> page.pieces().stream())).hasSize(15);
  }

  @Test
  void comesWithTenThousandRowsInOrder() {
    List<CompletionStage<WriteResult>> answers = new ArrayList<>();
    IntStream.range(0, 10_000).forEach(batch -> answers.add(owner.hand(owner.next())));
    assertThat(get(answers.getLast())).isEqualTo(new Written(10_000));

    List<String> pieces = replay(store, 1);

    assertThat(pieces)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 10_000).mapToObj(seq -> seq + ": facts " + seq).toList());
  }

  @Test
  void saysWhenItChangedUnderTheReader() {
    write(2);
    PartitionReplay.Page page = get(store.replay(1, PartitionReplay.Position.START));

    owner.checkpoint(2, 0, "new", true);

    assertThat(store.replay(1, page.next()))
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(StoreException.Unavailable.class)
        .withMessageContaining("read it again from the start");
  }

  private void write(int batches) {
    IntStream.range(0, batches).forEach(batch -> owner.write());
  }

  private void trimAll() {
    while (get(store.trim(1, owner.incarnation(), 2))) {
      assertThat(replay(store, 1)).isNotEmpty();
    }
  }

  private static long size(PartitionReplay.Page page) {
    return page.pieces().stream().mapToLong(piece -> piece.bytes().length).sum();
  }
}
