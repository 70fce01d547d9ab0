package dev.handoff.ledger;

import dev.handoff.store.Batch;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.Ownership;
import dev.handoff.store.Replay;
import dev.handoff.store.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// Makes the facts of one partition durable, in the order in which they arrive, as few and as large batches as the load
/// allows: at most one write is under way, and whatever arrives meanwhile is the next one. An idle ledger writes at
/// once; it never waits for a timer.
///
/// ```
/// recovering ──read back──▶ idle ──Append──▶ writing ──written──▶ idle (or the next batch)
///                                               ├─ refused ─▶ halved, until the one bad append is alone
///                                               ├─ away ────▶ the same batch again, later
///                                               └─ fenced ──▶ stopped for good
/// ```
///
/// Nobody hears of a fact before it is durable: replies and publications are sent after the store's answer, and from
/// nowhere else.
public final class Ledger extends AbstractMatchingBehavior<Ledger.Command> {

  /// Messages accepted by a ledger. All of them are local to its partition.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Facts that become durable together, with the history rows of what ends with them. Without facts it is a question:
  /// what is the state once everything before it has been written?
  ///
  /// @param entity whose state is answered
  /// @param reopened ids that leave history because these facts open them again
  public record Append(
      String entity, List<Fact> facts, List<HistoryRow> ended, List<String> reopened, Sender sender)
      implements Command {
    public Append {
      facts = List.copyOf(facts);
      ended = List.copyOf(ended);
      reopened = List.copyOf(reopened);
    }

    int bytes() {
      return facts.stream().mapToInt(fact -> fact.encoded().length).sum()
          + ended.stream().mapToInt(row -> row.state().length).sum();
    }
  }

  /// Asks for all live states, as of the last durable batch: references, in no order.
  public record GetStates(StatesSink sink) implements Command {}

  /// Where live states are told.
  public interface StatesSink {
    void tell(List<EntityState> states);
  }

  /// Where the fate of an append is told: once, unless the ledger is fenced, which ends the whole partition.
  public interface Sender {
    void tell(Reply reply);
  }

  /// The answer to an append.
  public sealed interface Reply extends NoSerializationVerificationNeeded {}

  /// The facts are durable.
  ///
  /// @param state the entity's state after the append; null if the entity is not live
  /// @param others the states of other entities that the facts were about
  public record Committed(@Nullable EntityState state, List<EntityState> others) implements Reply {}

  /// The facts can never be stored: nothing of the append was written.
  public record Refused(String reason) implements Reply {}

  /// The store is away and the backlog is full: nothing of the append was written.
  public record Unavailable(String reason, Duration retryAfter) implements Reply {}

  record TookOver(@Nullable Ownership ownership, @Nullable Throwable failure) implements Command {}

  record PageRead(Replay.@Nullable Page page, @Nullable Throwable failure) implements Command {}

  enum ReadAgain implements Command {
    INSTANCE
  }

  private record Wrote(WriteResult result) implements Command {}

  private record PieceEncoded(Checkpoints.@Nullable Piece piece, @Nullable Throwable failure) implements Command {}

  private record PieceWrote(WriteResult result) implements Command {}

  private record Trimmed(boolean more) implements Command {}

  private enum WriteAgain implements Command {
    INSTANCE
  }

  /// A ledger that reads its partition back and then takes appends.
  ///
  /// @param owner who takes the partition over, in the words that a second one would be told
  public static Behavior<Command> create(
      int partition, String owner, LedgerEnvironment environment, ActorRef<LedgerNotice> partitionActor) {
    return Recovery.create(partition, owner, environment, partitionActor);
  }

  private static final String AGAIN = "write-again";
  private static final int TRIM_ROWS = 200;

  private final LedgerEnvironment environment;
  private final ActorRef<LedgerNotice> partition;
  private final TimerScheduler<Command> timers;
  private final LiveStates states;
  private final Checkpoints checkpoints;
  private final Backlog backlog;
  private final Ownership ownership;

  private long seq;
  private List<Append> writing = List.of();
  private @Nullable Batch batch;
  private Checkpoints.@Nullable Piece piece;
  private boolean busy;
  private boolean away;
  private boolean trimming;
  private boolean maintenanceIsNext;

  Ledger(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      LedgerEnvironment environment,
      ActorRef<LedgerNotice> partition,
      Recovered recovered) {
    super(context);
    this.timers = timers;
    this.environment = environment;
    this.partition = partition;
    this.states = recovered.states();
    this.ownership = recovered.ownership();
    this.seq = recovered.ownership().seq();
    this.checkpoints = new Checkpoints(environment.settings(), recovered);
    this.backlog = new Backlog(environment.settings());
  }

  /// What a recovery has found.
  record Recovered(Ownership ownership, LiveStates states, long stateBytes, long logBytes) {}

  @Override
  public Behavior<Command> onMessage(Command message) {
    return switch (message) {
      case Append append -> onAppend(append);
      case GetStates(var sink) -> onGetStates(sink);
      case Wrote(var result) -> onWrote(result);
      case PieceEncoded encoded -> onPieceEncoded(encoded);
      case PieceWrote(var result) -> onPieceWrote(result);
      case Trimmed(boolean more) -> onTrimmed(more);
      case WriteAgain again -> onWriteAgain();
      case TookOver late -> this;
      case PageRead late -> this;
      case ReadAgain late -> this;
    };
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private Behavior<Command> onAppend(Append append) {
    int bytes = append.bytes();
    if (bytes > environment.settings().maxAppend()) {
      append.sender().tell(new Refused("%d bytes at once; at most %d can be stored together"
          .formatted(bytes, environment.settings().maxAppend())));
    } else if (!backlog.add(append, bytes)) {
      append.sender().tell(new Unavailable("the store does not keep up", environment.settings().retryAfter()));
    } else {
      writeNext();
    }
    return this;
  }

  private Behavior<Command> onGetStates(StatesSink sink) {
    sink.tell(states.copy());
    return this;
  }

  /// Starts the next write, unless one is under way. Batches and maintenance (a piece of a checkpoint, a slice of rows
  /// that are superseded) take turns, so that neither waits for the other; a refused batch is halved to its end first.
  private void writeNext() {
    if (busy) {
      return;
    }
    boolean maintain = piece != null || trimming;
    if (maintain && !backlog.hasHalves() && (maintenanceIsNext || backlog.isEmpty())) {
      maintain();
    } else if (!backlog.isEmpty()) {
      writeBatch(backlog.next());
    }
  }

  private void maintain() {
    maintenanceIsNext = false;
    if (piece != null) {
      writePiece();
    } else {
      trim();
    }
  }

  private void writeBatch(List<Append> appends) {
    maintenanceIsNext = true;
    writing = appends;
    batch = batchOf(appends);
    write();
  }

  private void write() {
    busy = true;
    getContext().pipeToSelf(environment.store().write(batch), (result, failure) -> new Wrote(orAway(result, failure)));
  }

  private Batch batchOf(List<Append> appends) {
    var entries = new ArrayList<Rows.Entry>();
    var ended = new ArrayList<HistoryRow>();
    var reopened = new ArrayList<String>();
    for (var append : appends) {
      append.facts().forEach(fact -> entries.add(new Rows.Entry(fact.entity(), fact.encoded())));
      ended.addAll(append.ended());
      reopened.addAll(append.reopened());
    }
    return new Batch(ownership.partition(), ownership.incarnation(), seq + 1, Rows.write(entries), ended, reopened);
  }

  private Behavior<Command> onWrote(WriteResult result) {
    busy = false;
    return switch (result) {
      case WriteResult.Written(long number) -> onWritten();
      case WriteResult.Refused(var reason) -> onRefused(reason);
      case WriteResult.Away gone -> onAway(gone);
      case WriteResult.Fenced(var by) -> stepDown(by);
    };
  }

  private Behavior<Command> onWritten() {
    seq++;
    back();
    var facts = new ArrayList<LedgerNotice.Folded>();
    for (var append : writing) {
      append.sender().tell(fold(append, facts));
    }
    partition.tell(new LedgerNotice.Published(facts));
    checkpoints.logged(batch.facts().length, seq, states).ifPresent(this::encode);
    writing = List.of();
    batch = null;
    writeNext();
    return this;
  }

  private Committed fold(Append append, List<LedgerNotice.Folded> folded) {
    var own = states.get(append.entity());
    List<EntityState> others = List.of();
    for (var fact : append.facts()) {
      var state = environment.fold().fold(states, fact.entity(), fact.event());
      if (state == null) {
        continue;
      }
      folded.add(new LedgerNotice.Folded(state, fact.event()));
      if (fact.entity().equals(append.entity())) {
        own = state;
      } else {
        others = others.isEmpty() ? new ArrayList<>() : others;
        others.add(state);
      }
    }
    return new Committed(own, others);
  }

  private Behavior<Command> onRefused(String reason) {
    if (writing.size() > 1) {
      backlog.halve(writing);
    } else {
      getContext().getLog().warn("partition [{}]: an append was refused by the store: {}", ownership.partition(), reason);
      writing.getFirst().sender().tell(new Refused(reason));
    }
    writing = List.of();
    writeNext();
    return this;
  }

  private Behavior<Command> onAway(WriteResult.Away gone) {
    busy = true;
    if (!away) {
      away = true;
      partition.tell(new LedgerNotice.StoreAway(gone.reason()));
    }
    timers.startSingleTimer(AGAIN, WriteAgain.INSTANCE, gone.retryAfter());
    return this;
  }

  private Behavior<Command> onWriteAgain() {
    if (batch != null) {
      write();
    } else if (piece != null) {
      writePiece();
    }
    return this;
  }

  private void back() {
    if (away) {
      away = false;
      partition.tell(new LedgerNotice.StoreBack());
    }
  }

  private Behavior<Command> stepDown(String by) {
    partition.tell(new LedgerNotice.SteppedDown(by));
    return Behaviors.stopped();
  }

  private void encode(Checkpoints.Draft draft) {
    int size = environment.settings().chunk();
    getContext()
        .pipeToSelf(
            environment.compute(() -> draft.encode(ownership, environment.codec(), size)), PieceEncoded::new);
  }

  private Behavior<Command> onPieceEncoded(PieceEncoded encoded) {
    if (encoded.failure() != null) {
      getContext().getLog().error("partition [{}]: a checkpoint failed", ownership.partition(), encoded.failure());
      checkpoints.abandon();
      return this;
    }
    piece = encoded.piece();
    writeNext();
    return this;
  }

  private void writePiece() {
    busy = true;
    getContext()
        .pipeToSelf(
            environment.store().writeChunk(piece.chunk()),
            (result, failure) -> new PieceWrote(orAway(result, failure)));
  }

  private Behavior<Command> onPieceWrote(WriteResult result) {
    busy = false;
    return switch (result) {
      case WriteResult.Written(long number) -> onPieceWritten();
      case WriteResult.Refused(var reason) -> onPieceRefused(reason);
      case WriteResult.Away gone -> onAway(gone);
      case WriteResult.Fenced(var by) -> stepDown(by);
    };
  }

  private Behavior<Command> onPieceWritten() {
    back();
    trimming |= piece.chunk().last();
    checkpoints.written(piece).ifPresent(this::encode);
    piece = null;
    writeNext();
    return this;
  }

  private Behavior<Command> onPieceRefused(String reason) {
    getContext().getLog().error("partition [{}]: a checkpoint was refused: {}", ownership.partition(), reason);
    piece = null;
    checkpoints.abandon();
    writeNext();
    return this;
  }

  private void trim() {
    busy = true;
    getContext()
        .pipeToSelf(
            environment.store().trim(ownership.partition(), ownership.incarnation(), TRIM_ROWS),
            (more, failure) -> new Trimmed(failure == null && more));
  }

  private Behavior<Command> onTrimmed(boolean more) {
    busy = false;
    trimming = more;
    writeNext();
    return this;
  }

  private WriteResult orAway(@Nullable WriteResult result, @Nullable Throwable failure) {
    return failure == null
        ? result
        : new WriteResult.Away(String.valueOf(failure.getMessage()), environment.settings().retryAfter());
  }
}
