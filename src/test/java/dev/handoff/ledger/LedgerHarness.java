package dev.handoff.ledger;

import dev.handoff.store.Batch;
import dev.handoff.store.Ownership;
import dev.handoff.store.Replay;
import dev.handoff.testing.Actors;
import dev.handoff.testing.HandStore;
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

/// A ledger over a store that the test answers for, and all whom it talks to.
final class LedgerHarness {

  static final LedgerSettings SETTINGS =
      new LedgerSettings(
          5, 4_096, 8_192, 20_000, 1L << 40, 1_024, Duration.ofMillis(1), Duration.ofMillis(5));

  final HandStore store = new HandStore();
  final TestProbe<LedgerNotice> partition;
  final ActorRef<Ledger.Command> ledger;

  private LedgerHarness(Actors actors, LedgerSettings settings, Executor cpu) {
    this.partition = actors.probe(LedgerNotice.class);
    var environment = new LedgerEnvironment(store, Counters.codec(), Counters::fold, settings, cpu);
    this.ledger = actors.spawn(Ledger.create(0, "the test", environment, partition.ref()));
  }

  /// One that has not been read back yet.
  static LedgerHarness starting(Actors actors) {
    return new LedgerHarness(actors, SETTINGS, Runnable::run);
  }

  /// For a ledger that asks nothing twice while the test runs.
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

  /// An empty one that takes appends.
  static LedgerHarness open(Actors actors) {
    return open(actors, SETTINGS, Runnable::run);
  }

  static LedgerHarness open(Actors actors, LedgerSettings settings, Executor cpu) {
    var harness = new LedgerHarness(actors, settings, cpu);
    harness.takeOver(0);
    harness.page(true);
    harness.partition.expectMessageClass(LedgerNotice.Recovered.class);
    return harness;
  }

  void takeOver(long seq) {
    store.nextTakeOver().answer(new Ownership(0, 7, seq));
  }

  /// Answers the next question for a page.
  Replay.Position page(boolean last, Replay.Piece... pieces) {
    var call = store.nextReplay();
    var next = new Replay.Position(7, 0, -1, call.question().afterSeq() + 1);
    call.answer(new Replay.Page(List.of(pieces), next, last));
    return call.question();
  }

  /// Hands facts in.
  Fate append(Fact... facts) {
    var fate = new Fate();
    append(fate, facts);
    return fate;
  }

  void append(Fate fate, Fact... facts) {
    ledger.tell(new Ledger.Append(facts[0].entity(), List.of(facts), List.of(), List.of(), fate));
  }

  /// A question: facts of nobody.
  Fate ask(String entity) {
    var fate = new Fate();
    ledger.tell(new Ledger.Append(entity, List.of(), List.of(), List.of(), fate));
    return fate;
  }

  /// Somebody had no answer from the store.
  void probe() {
    ledger.tell(Ledger.Probe.INSTANCE);
  }

  /// Waits until the ledger has handled everything that it was sent before, and every answer of the
  /// store. Asks twice: an answer that came before the ledger was listening is only on its way once
  /// the ledger has gone on.
  List<EntityState> settle() {
    states();
    return states();
  }

  private List<EntityState> states() {
    var states = new CompletableFuture<List<EntityState>>();
    ledger.tell(new Ledger.GetStates(states::complete));
    return states.orTimeout(10, TimeUnit.SECONDS).join();
  }

  /// The amounts that a batch adds, in order.
  static List<Integer> amounts(Batch batch) {
    try {
      var codec = Counters.codec();
      var amounts = new ArrayList<Integer>();
      for (var entry : Rows.read(batch.facts())) {
        if (codec.decodeFact(entry.bytes()) instanceof Counters.Added(int amount)) {
          amounts.add(amount);
        }
      }
      return amounts;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static Replay.Facts row(long seq, Fact... facts) {
    return new Replay.Facts(seq, Rows.ofFacts(Arrays.asList(facts)), "partition 0, batch " + seq);
  }

  static Replay.States chunk(int number, EntityState... states) {
    var codec = Counters.codec();
    var entries =
        Arrays.stream(states)
            .map(state -> new Rows.Entry(state.id().value(), codec.encodeState(state)))
            .toList();
    return new Replay.States(Rows.write(entries), "partition 0, checkpoint 1, chunk " + number);
  }
}
