package dev.handoff.internal.ledger;

import static dev.handoff.internal.ledger.CounterEntities.added;
import static dev.handoff.internal.ledger.CounterEntities.counter;
import static dev.handoff.internal.ledger.CounterEntities.id;
import static dev.handoff.internal.ledger.CounterEntities.padded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.HandStore;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A ledger whose log has grown")
class LedgerUpkeepTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final LedgerSettings SETTINGS =
      new LedgerSettings(
          5, 4_096, 1 << 20, 1 << 21, 8_000, 1_024, Duration.ofMillis(1), Duration.ofMillis(5));

  private final Deque<Runnable> encoding = new ArrayDeque<>();
  private final LedgerHarness harness = LedgerHarness.open(actors, SETTINGS, this::later);
  private final HandStore store = harness.store;
  private final String one = id(1);
  private final List<StoreBatch> log = new ArrayList<>();

  private synchronized void later(Runnable work) {
    encoding.add(work);
  }

  private synchronized Runnable nextToEncode() {
    return encoding.poll();
  }

  private void encode() {
    harness.settle();
    var work = nextToEncode();
    assertThat(work).as("something to encode").isNotNull();
    work.run();
  }

  /// Adds counters until a checkpoint is due.
  private void grow() {
    for (int i = 0; i < 100; i++) {
      harness.append(padded(id(100 + i), 50));
      log.add(store.write());
    }
    harness.settle();
  }

  @Test
  void writesItsStatesPieceByPieceBetweenBatches() throws IOException {
    grow();
    var chunks = new ArrayList<CheckpointChunk>();
    int appended = 0;

    while (chunks.isEmpty() || !chunks.getLast().last()) {
      encode();
      var chunk = store.nextChunk();
      var fate = harness.append(added(one, ++appended));
      chunks.add(chunk.question());
      chunk.answer(new WriteResult.Written(chunk.question().base()));
      store.write();
      fate.next(Ledger.Committed.class);
    }

    assertThat(chunks).hasSizeGreaterThan(2);
    assertThat(chunks).extracting(CheckpointChunk::base).containsOnly(chunks.getFirst().base());
    assertThat(chunks.getFirst().base()).isLessThanOrEqualTo(100);
    assertThat(chunks.getFirst().incarnation()).isEqualTo(7);
    for (int i = 0; i < chunks.size(); i++) {
      assertThat(chunks.get(i).number()).isEqualTo(i);
      assertThat(chunks.get(i).last()).isEqualTo(i == chunks.size() - 1);
    }
    assertThat(states(chunks)).hasSize((int) chunks.getFirst().base()).doesNotContainKey(one);
  }

  /// Ledger that pauses after each piece until its log has grown enough.
  private LedgerHarness quiet() {
    var longRest =
        new LedgerSettings(
            5, 4_096, 1 << 20, 1 << 21, 8_000, 1_024, Duration.ofHours(1), Duration.ofMillis(5));
    var quiet = LedgerHarness.open(actors, longRest, this::later);
    for (int i = 0; i < 100; i++) {
      quiet.append(padded(id(100 + i), 50));
      quiet.store.write();
    }
    return quiet;
  }

  @Test
  void leavesTheDiskToBatchesAfterAPieceUnlessTheLogGrowsFast() {
    var quiet = quiet();

    quiet.settle();
    nextToEncode().run();
    var first = quiet.store.nextChunk();
    first.answer(new WriteResult.Written(first.question().base()));
    quiet.settle();
    nextToEncode().run();
    quiet.settle();
    quiet.store.expectNothing();

    quiet.append(added(one, 1));
    quiet.store.write();
    quiet.settle();
    quiet.store.expectNothing();

    quiet.append(padded(one, 300));
    quiet.store.write();
    assertThat(quiet.store.nextChunk().question().number()).isEqualTo(1);
  }

  @Test
  void leavesTheDiskToBatchesAfterASliceUnlessTheLogGrowsFast() {
    var quiet = quiet();
    boolean isWhole = false;
    while (!isWhole) {
      quiet.settle();
      nextToEncode().run();
      var piece = quiet.store.nextChunk();
      isWhole = piece.question().last();
      piece.answer(new WriteResult.Written(piece.question().base()));
      quiet.append(padded(one, 300));
      quiet.store.write();
    }

    quiet.store.nextTrim().answer(true);
    quiet.settle();
    quiet.store.expectNothing();

    quiet.append(padded(one, 300));
    quiet.store.write();
    quiet.store.nextTrim().answer(false);
  }

  @Test
  void writesLargerPiecesAfterLargerBatchesSoThatItKeepsUpWithTheLog() {
    grow();
    harness.append(padded(one, 900));
    store.write();
    encode();
    var small = store.nextChunk();
    small.answer(new WriteResult.Written(small.question().base()));
    encode();

    var large = store.nextChunk().question();

    assertThat(small.question().states().length).isLessThan(2_000);
    assertThat(large.states().length).isBetween(3_600, 8_000);
  }

  @Test
  void keepsTheStatesAsTheyWereWhenTheCheckpointBecameDue() throws IOException {
    harness.append(added(one, 1));
    store.write();
    grow();
    harness.append(added(one, 2));
    store.write();

    var chunks = checkpoint();

    assertThat(states(chunks)).containsEntry(one, counter(one, 1, 1));
  }

  @Test
  void trimsSliceBySliceAndLetsBatchesPass() {
    grow();
    checkpoint();

    var trim = store.nextTrim();
    harness.append(added(one, 1));
    harness.settle();
    assertThat(trim.question().incarnation()).isEqualTo(7);
    trim.answer(true);
    store.write();
    store.nextTrim().answer(true);
    store.nextTrim().answer(false);
    harness.settle();

    store.expectNothing();
  }

  @Test
  void leavesTheRestToTheNextCheckpointWhenItCannotTrim() {
    grow();
    checkpoint();

    store.nextTrim().fail(new IllegalStateException("away"));
    harness.settle();

    store.expectNothing();
    harness.append(added(one, 1));
    store.write();
  }

  @Test
  void isNotDueAgainBeforeTheLogIsTwiceTheStates() {
    grow();
    var chunks = checkpoint();
    store.nextTrim().answer(false);
    long stateBytes = chunks.stream().mapToLong(chunk -> chunk.states().length).sum();

    while (nextToEncode() == null) {
      harness.append(padded(one, 500));
      log.add(store.write());
      harness.settle();
    }

    long base = chunks.getFirst().base();
    long logBytes =
        log.stream().filter(batch -> batch.seq() > base).mapToLong(b -> b.facts().length).sum();
    assertThat(logBytes).isBetween(2 * stateBytes, 2 * stateBytes + 600);
  }

  @Test
  void givesUpACheckpointThatTheStoreDoesNotTakeNow() {
    grow();
    encode();
    var lost = store.nextChunk();
    var fate = harness.append(added(one, 1));

    lost.answer(HandStore.away("a piece takes too long"));

    store.write();
    fate.next(Ledger.Committed.class);
    harness.settle();
    store.expectNothing();
    grow();
    assertThat(nextToEncode()).as("the next checkpoint").isNotNull();
  }

  @Test
  void givesUpACheckpointThatTheStoreRefuses() {
    grow();
    encode();
    store.nextChunk().answer(new WriteResult.Refused("a later one is complete"));
    harness.settle();

    store.expectNothing();
    grow();
    assertThat(nextToEncode()).as("the next checkpoint").isNotNull();
  }

  @Test
  void givesUpACheckpointThatCannotBeEncoded() {
    var broken =
        LedgerHarness.open(
            actors,
            SETTINGS,
            work -> {
              throw new RejectedExecutionException("no threads");
            });
    for (int i = 0; i < 100; i++) {
      broken.append(padded(id(100 + i), 50));
      broken.store.write();
    }

    assertThat(broken.settle()).hasSize(100);
    broken.store.expectNothing();
  }

  @Test
  void beginsAnotherCheckpointAfterOneThatCouldNotBeEncoded() {
    var tries = new AtomicInteger();
    var once =
        LedgerHarness.open(
            actors,
            SETTINGS,
            work -> {
              if (tries.incrementAndGet() == 1) {
                throw new RejectedExecutionException("no threads");
              }
              later(work);
            });
    for (int i = 0; i < 300; i++) {
      once.append(padded(id(100 + i), 50));
      once.store.write();
      once.settle();
    }

    assertThat(tries).hasValue(2);
    assertThat(nextToEncode()).as("the next checkpoint").isNotNull();
  }

  @Test
  void stepsDownWhenItsPieceIsFenced() {
    grow();
    encode();

    store.nextChunk().answer(new WriteResult.Fenced("another engine"));

    harness.partition.expectTerminated(harness.ledger, Duration.ofSeconds(10));
  }

  private List<CheckpointChunk> checkpoint() {
    var chunks = new ArrayList<CheckpointChunk>();
    while (chunks.isEmpty() || !chunks.getLast().last()) {
      encode();
      var chunk = store.nextChunk();
      chunks.add(chunk.question());
      chunk.answer(new WriteResult.Written(chunk.question().base()));
    }
    return chunks;
  }

  private static Map<String, EntityState> states(List<CheckpointChunk> chunks) throws IOException {
    var states = new HashMap<String, EntityState>();
    for (var chunk : chunks) {
      for (var entry : RowFormat.read(chunk.states())) {
        states.put(entry.entity(), CounterEntities.codec().decodeState(entry.bytes()));
      }
    }
    return states;
  }
}
