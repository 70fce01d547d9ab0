package dev.handoff.internal.ledger;

import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.testing.HandStore;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/// Ledger with a store that the test answers for, and probes for all recipients.
final class LedgerHarness {

  static final LedgerSettings SETTINGS =
      new LedgerSettings(
          5, 4_096, 8_192, 20_000, 1L << 40, 1_024, Duration.ofMillis(1), Duration.ofMillis(5));

  final HandStore store = new HandStore();
  final TestProbe<LedgerNotice> partition;
  final ActorRef<Ledger.Command> ledger;

  private LedgerHarness(TestActors actors, LedgerSettings settings, Executor cpu) {
    this.partition = actors.probe(LedgerNotice.class);
    var environment =
        new LedgerEnvironment(store, CounterEntities.codec(), CounterEntities::fold, settings, cpu);
    this.ledger = actors.spawn(Ledger.create(0, "the test", environment, partition.ref()));
  }

  /// Ledger before its recovery.
  static LedgerHarness starting(TestActors actors) {
    return new LedgerHarness(actors, SETTINGS, Runnable::run);
  }

  /// Settings of a ledger that repeats no request during a test.
  static LedgerSettings patient() {
    return new LedgerSettings(
        SETTINGS.batchFacts(),
        SETTINGS.batchBytes(),
        SETTINGS.maxAppend(),
        SETTINGS.backlog(),
        SETTINGS.checkpointAfter(),
        SETTINGS.chunk(),
        SETTINGS.rest(),
        Duration.ofHours(1));
  }

  /// Empty ledger that takes appends.
  static LedgerHarness open(TestActors actors) {
    return open(actors, SETTINGS, Runnable::run);
  }

  static LedgerHarness open(TestActors actors, LedgerSettings settings, Executor cpu) {
    var harness = new LedgerHarness(actors, settings, cpu);
    harness.takeOver(0);
    harness.page(true);
    harness.partition.expectMessageClass(LedgerNotice.Recovered.class);
    return harness;
  }

  void takeOver(long seq) {
    store.nextTakeOver().answer(new PartitionOwnership(0, 7, seq));
  }

  /// Answers the next request for a page.
  PartitionReplay.Position page(boolean last, PartitionReplay.Piece... pieces) {
    var call = store.nextReplay();
    var next = new PartitionReplay.Position(7, 0, -1, call.question().afterSeq() + 1);
    call.answer(new PartitionReplay.Page(List.of(pieces), next, last));
    return call.question();
  }

  /// Appends facts.
  AppendFate append(Fact... facts) {
    var fate = new AppendFate();
    append(fate, facts);
    return fate;
  }

  void append(AppendFate fate, Fact... facts) {
    ledger.tell(new Ledger.Append(facts[0].entity(), List.of(facts), List.of(), List.of(), fate));
  }

  /// Sends a query: an append without facts.
  AppendFate ask(String entity) {
    var fate = new AppendFate();
    ledger.tell(new Ledger.Append(entity, List.of(), List.of(), List.of(), fate));
    return fate;
  }

  /// Tells the ledger that a call to the store had no answer.
  void probe() {
    ledger.tell(Ledger.Probe.INSTANCE);
  }

  /// Waits until the ledger has handled all earlier messages and all answers of the store. Two
  /// queries are needed: an answer that arrives before the ledger listens is sent only after the
  /// ledger's next step.
  List<EntityState> settle() {
    states();
    return states();
  }

  private List<EntityState> states() {
    var states = new CompletableFuture<List<EntityState>>();
    ledger.tell(new Ledger.GetStates(states::complete));
    return states.orTimeout(10, TimeUnit.SECONDS).join();
  }

  /// Amounts added by a batch, in order.
  static List<Integer> amounts(StoreBatch batch) {
    try {
      var codec = CounterEntities.codec();
      var amounts = new ArrayList<Integer>();
      for (var entry : RowFormat.read(batch.facts())) {
        if (codec.decodeFact(entry.bytes()) instanceof CounterEntities.Added(int amount)) {
          amounts.add(amount);
        }
      }
      return amounts;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static PartitionReplay.Facts row(long seq, Fact... facts) {
    return new PartitionReplay.Facts(
        seq, RowFormat.ofFacts(Arrays.asList(facts)), "partition 0, batch " + seq);
  }

  static PartitionReplay.States chunk(int number, EntityState... states) {
    var codec = CounterEntities.codec();
    var entries =
        Arrays.stream(states)
            .map(state -> new RowFormat.Entry(state.id().value(), codec.encodeState(state)))
            .toList();
    return new PartitionReplay.States(
        RowFormat.write(entries), "partition 0, checkpoint 1, chunk " + number);
  }
}
