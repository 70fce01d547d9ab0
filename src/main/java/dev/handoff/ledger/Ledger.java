package dev.handoff.ledger;

import dev.handoff.store.HistoryRow;
import dev.handoff.store.KeptKey;
import dev.handoff.store.Ownership;
import dev.handoff.store.Replay;
import dev.handoff.store.WriteResult;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/// The write-ahead log of one partition: what it can be sent, and what it answers. It reads itself
/// back first, which is [Recovery]'s part; the actor that then writes is [LedgerActor].
public final class Ledger {

  /// Messages accepted by a ledger. All of them are local to its partition.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Facts that become durable together, with the history rows of what ends with them. Without
  /// facts it is a question: what is the state once everything before it has been written?
  ///
  /// @param entity whose state is answered
  /// @param reopened ids that leave history because these facts open them again
  /// @param keptKeys keys of jobs that end with these facts and have no history row
  public record Append(
      String entity,
      List<Fact> facts,
      List<HistoryRow> ended,
      List<String> reopened,
      List<KeptKey> keptKeys,
      Sender sender)
      implements Command {
    public Append {
      facts = List.copyOf(facts);
      ended = List.copyOf(ended);
      reopened = List.copyOf(reopened);
      keptKeys = List.copyOf(keptKeys);
    }

    /// An append after which everything that ended has its row.
    public Append(
        String entity,
        List<Fact> facts,
        List<HistoryRow> ended,
        List<String> reopened,
        Sender sender) {
      this(entity, facts, ended, reopened, List.of(), sender);
    }

    /// Whether it only asks.
    boolean isQuestion() {
      return facts.isEmpty() && ended.isEmpty() && reopened.isEmpty();
    }

    int bytes() {
      int bytes = 0;
      for (var fact : facts) {
        bytes += fact.encoded().length;
      }
      for (var row : ended) {
        bytes += row.state().length;
      }
      return bytes;
    }
  }

  /// Asks for all live states, as of the last durable batch: references, in no order.
  public record GetStates(StatesSink sink) implements Command {}

  /// Somebody had no answer from the store: the ledger finds out whether it is away, if it is not
  /// writing already, and tells its partition as with any other write.
  public enum Probe implements Command {
    INSTANCE
  }

  /// The last probe is long enough ago for another one.
  enum Probed implements Command {
    INSTANCE
  }

  /// Where live states are told.
  public interface StatesSink {
    void tell(List<EntityState> states);
  }

  /// Where the fate of an append is told: once, unless the ledger is fenced, which ends the whole
  /// partition.
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

  /// The backlog is full, because the store is away or slow: nothing of the append was written.
  public record Unavailable(String reason, Duration retryAfter) implements Reply {}

  /// What a recovery has found.
  record Recovered(Ownership ownership, LiveStates states, long stateBytes, long logBytes) {}

  record TookOver(@Nullable Ownership ownership, @Nullable Throwable failure) implements Command {}

  record PageRead(Replay.@Nullable Page page, @Nullable Throwable failure) implements Command {}

  enum ReadAgain implements Command {
    INSTANCE
  }

  record Wrote(WriteResult result) implements Command {}

  enum WriteAgain implements Command {
    INSTANCE
  }

  record PieceEncoded(Checkpoints.@Nullable Piece piece, @Nullable Throwable failure)
      implements Command {}

  record PieceWrote(WriteResult result) implements Command {}

  record Trimmed(boolean more) implements Command {}

  enum Rested implements Command {
    INSTANCE
  }

  /// A ledger that reads its partition back and then takes appends.
  ///
  /// @param owner who takes the partition over, in the words that a second one would be told
  public static Behavior<Command> create(
      int partition,
      String owner,
      LedgerEnvironment environment,
      ActorRef<LedgerNotice> partitionActor) {
    return Recovery.create(partition, owner, environment, partitionActor);
  }

  private Ledger() {}
}
