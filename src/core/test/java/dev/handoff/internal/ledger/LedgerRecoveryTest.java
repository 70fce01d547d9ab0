package dev.handoff.internal.ledger;

import static dev.handoff.internal.ledger.CounterEntities.added;
import static dev.handoff.internal.ledger.CounterEntities.closed;
import static dev.handoff.internal.ledger.CounterEntities.counter;
import static dev.handoff.internal.ledger.CounterEntities.id;
import static dev.handoff.internal.ledger.LedgerHarness.amounts;
import static dev.handoff.internal.ledger.LedgerHarness.chunk;
import static dev.handoff.internal.ledger.LedgerHarness.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreException;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.testing.HandStore;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A ledger that is read back")
class LedgerRecoveryTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final LedgerHarness harness = LedgerHarness.starting(actors);
  private final HandStore store = harness.store;
  private final String one = id(1);
  private final String two = id(2);
  private final String three = id(3);

  @Test
  void hasTheStatesOfItsCheckpointAndWhatTheRowsSinceMadeOfThem() {
    harness.takeOver(12);
    var from =
        harness.page(false, chunk(0, counter(one, 3, 1, 2, 3)), chunk(1, counter(two, 1, 9)));
    harness.page(false, row(11, added(one, 4), added(three, 1)));
    harness.page(true, row(12, closed(two)));

    var recovered = harness.partition.expectMessageClass(LedgerNotice.Recovered.class);

    assertThat(from).isEqualTo(PartitionReplay.Position.startOf(new PartitionOwnership(0, 7, 12)));
    assertThat(recovered.states())
        .map(EntityState.class::cast)
        .containsExactlyInAnyOrder(counter(one, 4, 1, 2, 3, 4), counter(three, 1, 1));
    assertThat(harness.settle()).containsExactlyInAnyOrderElementsOf(recovered.states());
  }

  @Test
  void stepsDownWhenSomebodyElseTakesThePartitionOverMeanwhile() {
    harness.takeOver(12);
    store.nextReplay().fail(new StoreException.Held("taken over by another engine"));

    harness.partition.expectMessage(new LedgerNotice.SteppedDown("taken over by another engine"));
    harness.partition.expectTerminated(harness.ledger, Duration.ofSeconds(10));
    store.expectNothing();
  }

  @Test
  void stepsDownWhenTheStoreIsHeldByAnother() {
    store
        .nextTakeOver()
        .fail(new CompletionException(new StoreException.Held("held by another engine")));

    harness.partition.expectMessage(new LedgerNotice.SteppedDown("held by another engine"));
    harness.partition.expectTerminated(harness.ledger, Duration.ofSeconds(10));
  }

  @Test
  void goesOnWithTheNumberAfterTheLastBatch() {
    harness.takeOver(12);
    harness.page(true);

    var fate = harness.append(added(one, 1));

    assertThat(store.write().seq()).isEqualTo(13);
    fate.next(Ledger.Committed.class);
  }

  @Test
  void readsTheNextPageWhileItFoldsOne() {
    harness.takeOver(2);
    harness.page(false, row(1, added(one, 1)));

    var second = store.nextReplay();

    assertThat(second.question().afterSeq()).isEqualTo(1);
  }

  @Test
  void keepsWhatArrivesUntilThen() {
    var early = harness.append(added(one, 1));
    harness.append(added(one, 2));
    harness.takeOver(0);
    early.isOpen();
    harness.page(true);

    var first = amounts(store.write());
    var rest = amounts(store.write());

    assertThat(first).containsExactly(1);
    assertThat(rest).containsExactly(2);
    early.is(new Ledger.Committed(counter(one, 1, 1), List.of()));
  }

  @Test
  void keepsOnlySoMuchUntilThen() {
    for (int i = 0; i < 10_000; i++) {
      harness.append(added(one, i));
    }

    var tooMuch = harness.append(added(one, 1)).next(Ledger.Unavailable.class);

    assertThat(tooMuch.reason()).isEqualTo("the partition is being read back");
  }

  @Test
  void waitsForAStoreThatIsAwayAndSaysWhenItIsBack() {
    store.nextTakeOver().fail(new StoreException.Unavailable("no route", null));
    harness.partition.expectMessage(new LedgerNotice.StoreAway("no route"));
    store.nextTakeOver().fail(new CompletionException(new StoreException.Unavailable("no", null)));
    harness.takeOver(1);
    store.nextReplay().fail(new StoreException.Unavailable("lost", null));
    harness.page(true, row(1, added(one, 1)));

    harness.partition.expectMessageClass(LedgerNotice.Recovered.class);
    harness.partition.expectMessage(new LedgerNotice.StoreBack());
  }

  @Test
  void saysThatTheStoreIsAwayWhileItReads() {
    harness.takeOver(2);
    harness.page(false, row(1, added(one, 1)));
    store.nextReplay().fail(new StoreException.Unavailable("lost", null));

    harness.partition.expectMessage(new LedgerNotice.StoreAway("lost"));
    harness.page(true, row(2, added(one, 2)));
    assertThat(harness.partition.expectMessageClass(LedgerNotice.Recovered.class).states())
        .map(EntityState.class::cast)
        .containsExactly(counter(one, 2, 1, 2));
  }

  @Test
  void stopsAndNamesThePlaceThatTheStoreCannotRead() {
    harness.takeOver(5);
    store
        .nextReplay()
        .fail(
            new CompletionException(
                new StoreException.Unreadable("partition 0, batch 4 is missing", null)));

    harness.partition.expectMessage(new LedgerNotice.Unreadable("partition 0, batch 4 is missing"));
    harness.partition.expectTerminated(harness.ledger, Duration.ofSeconds(10));
  }

  @Test
  void stopsWhenTheStoreIsNotWhatWasAskedFor() {
    store.nextTakeOver().fail(new StoreException.Unfit("it has 4 partitions"));

    harness.partition.expectMessage(new LedgerNotice.Unreadable("it has 4 partitions"));
    harness.partition.expectTerminated(harness.ledger, Duration.ofSeconds(10));
  }

  @Test
  void stopsAndNamesThePlaceOfAFactOfANewerVersion() {
    var unknown =
        new Fact(one, new CounterEntities.Closed(), new byte[] {(byte) 0x82, 0x61, 0x78, 0x01});
    harness.takeOver(3);
    harness.page(true, row(3, unknown));

    var notice = harness.partition.expectMessageClass(LedgerNotice.Unreadable.class);

    assertThat(notice.message()).startsWith("partition 0, batch 3: ");
  }

  @Test
  void isNeverWrongInSilenceWhenARowIsDamaged() {
    var rows = RowFormat.ofFacts(List.of(added(one, 1), added(two, 2), closed(two)));

    RandomSeeds.each(
        200,
        random -> {
          var damaged = damaged(rows, random);
          var reading = LedgerHarness.starting(actors);
          reading.takeOver(1);
          reading.page(true, new PartitionReplay.Facts(1, damaged, "partition 0, batch 1"));

          var notice = reading.partition.expectMessageClass(LedgerNotice.Unreadable.class);

          assertThat(notice.message()).startsWith("partition 0, batch 1: ");
        });
  }

  @Test
  void isNeverWrongInSilenceWhenACheckpointIsDamaged() {
    var chunk = chunk(0, counter(one, 3, 1, 2, 3), counter(two, 1, 9)).bytes();

    RandomSeeds.each(
        200,
        random -> {
          var reading = LedgerHarness.starting(actors);
          reading.takeOver(1);
          reading.page(
              true, new PartitionReplay.States(damaged(chunk, random), "partition 0, chunk 0"));

          var notice = reading.partition.expectMessageClass(LedgerNotice.Unreadable.class);

          assertThat(notice.message()).startsWith("partition 0, chunk 0: ");
        });
  }

  /// Flips one to three bits, truncates the bytes, or appends some.
  private static byte[] damaged(byte[] bytes, Random random) {
    switch (random.nextInt(3)) {
      case 0 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      case 1 -> {
        return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(8));
      }
      default -> {
        var copy = bytes.clone();
        random
            .ints(1 + random.nextInt(3), 0, bytes.length * 8)
            .distinct()
            .forEach(bit -> copy[bit / 8] ^= (byte) (1 << bit % 8));
        return copy;
      }
    }
  }
}
