package dev.handoff.internal.ledger;

import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeptKey;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Makes the facts of one partition durable, in order of arrival and with group commit: at most one
/// write is in flight, and appends that arrive meanwhile form the next batch. An idle ledger writes
/// at once, without a timer.
///
/// ```
/// recovering ──read back──▶ idle ──Append──▶ writing ──written──▶ idle (or the next batch)
///                                               ├─ refused ─▶ halved, until the one bad append is alone
///                                               ├─ away ────▶ the same batch again, later
///                                               └─ fenced ──▶ stopped for good
/// ```
///
/// No fact is visible before it is durable: replies and publications are sent only after the
/// store's answer.
final class LedgerActor extends AbstractMatchingBehavior<Ledger.Command> {

  private static final String AGAIN = "write-again";
  private static final String PROBED = "probed";

  private final LedgerEnvironment environment;
  private final ActorRef<LedgerNotice> partition;
  private final TimerScheduler<Ledger.Command> timers;
  private final LiveStates states;
  private final PartitionOwnership ownership;
  private final AppendBacklog backlog;
  private final CheckpointUpkeep upkeep;

  private long seq;
  private List<Ledger.Append> writing = List.of();
  private @Nullable StoreBatch batch;
  private boolean busy;
  private boolean away;
  private boolean upkeepIsNext;

  LedgerActor(
      ActorContext<Ledger.Command> context,
      TimerScheduler<Ledger.Command> timers,
      LedgerEnvironment environment,
      ActorRef<LedgerNotice> partition,
      Ledger.Recovered recovered) {
    super(context);
    this.timers = timers;
    this.environment = environment;
    this.partition = partition;
    this.states = recovered.states();
    this.ownership = recovered.ownership();
    this.seq = recovered.ownership().seq();
    this.backlog = new AppendBacklog(environment.settings());
    this.upkeep = new CheckpointUpkeep(context, timers, environment, recovered);
  }

  @Override
  public Behavior<Ledger.Command> onMessage(Ledger.Command message) {
    return switch (message) {
      case Ledger.Append append -> onAppend(append);
      case Ledger.GetStates(var sink) -> onGetStates(sink);
      case Ledger.Probe now -> onProbe();
      case Ledger.Probed past -> this;
      case Ledger.Wrote(var result) -> onWrote(result);
      case Ledger.WriteAgain again -> onWriteAgain();
      case Ledger.PieceWrote(var result) -> onPieceWrote(result);
      case Ledger.PieceEncoded(var piece, var failure) -> onPieceEncoded(piece, failure);
      case Ledger.Trimmed(boolean more) -> onTrimmed(more);
      case Ledger.Rested now -> onRested();
      case Ledger.TookOver late -> this;
      case Ledger.PageRead late -> this;
      case Ledger.ReadAgain late -> this;
    };
  }

  @Override
  public Behavior<Ledger.Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private Behavior<Ledger.Command> onAppend(Ledger.Append append) {
    if (backlog.add(append, states.get(append.entity()) == null)) {
      writeNext();
    }
    return this;
  }

  private Behavior<Ledger.Command> onGetStates(Ledger.StatesSink sink) {
    sink.tell(states.copy());
    return this;
  }

  /// Probes the store with an empty batch, on the same path as facts.
  private Behavior<Ledger.Command> onProbe() {
    if (!busy && !timers.isTimerActive(PROBED)) {
      var pause = environment.settings().retryAfter();
      timers.startSingleTimer(PROBED, Ledger.Probed.INSTANCE, pause);
      batch = batchOf(List.of());
      write();
    }
    return this;
  }

  /// Starts the next write, unless one is in flight. Batches and upkeep alternate, so that neither
  /// starves; a refused batch is split to the end first.
  private void writeNext() {
    boolean upkeepMayGo = upkeep.isDue() && !backlog.hasHalves();
    if (busy) {
      return;
    }
    if (upkeepMayGo && (upkeepIsNext || backlog.isEmpty())) {
      keepUp();
    } else if (!backlog.isEmpty()) {
      writeBatch(backlog.next());
    }
  }

  private void keepUp() {
    busy = true;
    upkeepIsNext = false;
    upkeep.start();
  }

  /// A batch of queries needs no write: all earlier appends are durable.
  private void writeBatch(List<Ledger.Append> appends) {
    writing = appends;
    if (appends.stream().allMatch(Ledger.Append::isQuestion)) {
      tellCommitted();
      writeNext();
    } else {
      upkeepIsNext = true;
      batch = batchOf(appends);
      write();
    }
  }

  private void write() {
    busy = true;
    getContext()
        .pipeToSelf(
            environment.answered(environment.store().write(batch)),
            (result, never) -> new Ledger.Wrote(result));
  }

  private StoreBatch batchOf(List<Ledger.Append> appends) {
    var facts = new ArrayList<Fact>();
    var ended = new ArrayList<HistoryRow>();
    var reopened = new ArrayList<String>();
    var keptKeys = new ArrayList<KeptKey>();
    for (var append : appends) {
      facts.addAll(append.facts());
      ended.addAll(append.ended());
      reopened.addAll(append.reopened());
      keptKeys.addAll(append.keptKeys());
    }
    return new StoreBatch(
        ownership.partition(),
        ownership.incarnation(),
        seq + 1,
        RowFormat.ofFacts(facts),
        ended,
        reopened,
        keptKeys);
  }

  private Behavior<Ledger.Command> onWrote(WriteResult result) {
    return switch (result) {
      case WriteResult.Written(long number) -> onWritten();
      case WriteResult.Refused(var reason) -> onRefused(reason);
      case WriteResult.Away gone -> onAway(gone);
      case WriteResult.Fenced(var by) -> stepDown(by);
    };
  }

  private Behavior<Ledger.Command> onWritten() {
    seq++;
    int bytes = batch.facts().length;
    tellCommitted();
    upkeep.logged(bytes, seq, states);
    return next();
  }

  private void tellCommitted() {
    var folded = new ArrayList<LedgerNotice.Folded>();
    writing.forEach(append -> append.sender().tell(fold(append, folded)));
    if (!folded.isEmpty()) {
      partition.tell(new LedgerNotice.Published(folded));
    }
    writing = List.of();
    batch = null;
  }

  private Ledger.Committed fold(Ledger.Append append, List<LedgerNotice.Folded> folded) {
    var own = states.get(append.entity());
    List<EntityState> others = List.of();
    for (var fact : append.facts()) {
      for (var state : environment.fold().fold(states, fact.entity(), fact.event())) {
        folded.add(new LedgerNotice.Folded(state, fact.event()));
        if (state.id().value().equals(append.entity())) {
          own = state;
        } else {
          others = others.isEmpty() ? new ArrayList<>() : others;
          others.add(state);
        }
      }
    }
    return new Ledger.Committed(own, others);
  }

  private Behavior<Ledger.Command> onRefused(String reason) {
    if (writing.size() > 1) {
      backlog.halve(writing);
    } else {
      getContext()
          .getLog()
          .warn(
              "partition [{}]: an append was refused by the store: {}",
              ownership.partition(),
              reason);
      writing.forEach(append -> append.sender().tell(new Ledger.Refused(reason)));
    }
    writing = List.of();
    batch = null;
    return next();
  }

  /// The store answers: continues with the backlog.
  private Behavior<Ledger.Command> next() {
    busy = false;
    if (away) {
      away = false;
      partition.tell(new LedgerNotice.StoreBack());
    }
    writeNext();
    return this;
  }

  /// The write's outcome is unknown, so the identical batch is written again.
  private Behavior<Ledger.Command> onAway(WriteResult.Away gone) {
    if (!away) {
      away = true;
      partition.tell(new LedgerNotice.StoreAway(gone.reason()));
    }
    timers.startSingleTimer(AGAIN, Ledger.WriteAgain.INSTANCE, gone.retryAfter());
    return this;
  }

  private Behavior<Ledger.Command> onWriteAgain() {
    write();
    return this;
  }

  private Behavior<Ledger.Command> stepDown(String by) {
    partition.tell(new LedgerNotice.SteppedDown(by));
    return Behaviors.stopped();
  }

  private Behavior<Ledger.Command> onPieceEncoded(
      Checkpoints.@Nullable Piece piece, @Nullable Throwable failure) {
    upkeep.onEncoded(piece, failure);
    writeNext();
    return this;
  }

  private Behavior<Ledger.Command> onPieceWrote(WriteResult result) {
    switch (result) {
      case WriteResult.Written(long number) -> upkeep.onPieceWritten();
      case WriteResult.Refused(var reason) -> upkeep.onPieceRefused(reason);
      case WriteResult.Away(var reason, var retryAfter) -> upkeep.onPieceAway(reason);
      case WriteResult.Fenced(var by) -> {
        return stepDown(by);
      }
    }
    busy = false;
    writeNext();
    return this;
  }

  private Behavior<Ledger.Command> onTrimmed(boolean more) {
    upkeep.onTrimmed(more);
    busy = false;
    writeNext();
    return this;
  }

  private Behavior<Ledger.Command> onRested() {
    upkeep.onRested();
    writeNext();
    return this;
  }
}
