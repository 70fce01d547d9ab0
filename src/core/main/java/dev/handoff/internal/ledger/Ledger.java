package dev.handoff.internal.ledger;

import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeptKey;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.WriteResult;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/// Write-ahead log of one partition: messages and replies. [LedgerRecovery] reads the log first and
/// then becomes [LedgerActor], which writes.
public final class Ledger {

  /// Protocol of a ledger, local to its partition.
  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Facts that become durable in one transaction, with history rows of entities that they end. An
  /// append without facts is a query for the state after all earlier appends are resolved.
  ///
  /// @param entity entity whose state is returned
  /// @param reopened ids that leave history because these facts reopen them
  /// @param keptKeys keys of jobs that end with these facts and get no history row
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

    /// Append whose ended jobs all get history rows.
    public Append(
        String entity,
        List<Fact> facts,
        List<HistoryRow> ended,
        List<String> reopened,
        Sender sender) {
      this(entity, facts, ended, reopened, List.of(), sender);
    }

    /// Whether the append is only a query.
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

  /// Queries all live states after the last durable batch: references, unordered.
  public record GetStates(StatesSink sink) implements Command {}

  /// Checks whether the store answers, unless a write is in flight. Sent after an unanswered query;
  /// the partition learns the result as with any write.
  public enum Probe implements Command {
    INSTANCE
  }

  /// Timer message: the pause after a probe is over.
  enum Probed implements Command {
    INSTANCE
  }

  /// Receiver of live states.
  public interface StatesSink {
    void tell(List<EntityState> states);
  }

  /// Receiver of an append's outcome, told once. A fenced ledger tells nothing, as its whole
  /// partition ends.
  public interface Sender {
    void tell(Reply reply);
  }

  /// Reply to an append.
  public sealed interface Reply extends NoSerializationVerificationNeeded {}

  /// The facts are durable.
  ///
  /// @param state entity's state after the append; null if it is not live
  /// @param others states of other entities that these facts changed
  public record Committed(@Nullable EntityState state, List<EntityState> others) implements Reply {}

  /// Permanent refusal: nothing of the append was written.
  public record Refused(String reason) implements Reply {}

  /// Temporary refusal because of a full backlog: the store is away or slow, and nothing of the
  /// append was written.
  public record Unavailable(String reason, Duration retryAfter) implements Reply {}

  /// Result of a recovery.
  record Recovered(
      PartitionOwnership ownership, LiveStates states, long stateBytes, long logBytes) {}

  record TookOver(@Nullable PartitionOwnership ownership, @Nullable Throwable failure)
      implements Command {}

  record PageRead(PartitionReplay.@Nullable Page page, @Nullable Throwable failure)
      implements Command {}

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

  /// Creates a ledger that first reads its partition and then takes appends.
  ///
  /// @param owner new owner of the partition, as shown to a second engine
  public static Behavior<Command> create(
      int partition,
      String owner,
      LedgerEnvironment environment,
      ActorRef<LedgerNotice> partitionActor) {
    return LedgerRecovery.create(partition, owner, environment, partitionActor);
  }

  private Ledger() {}
}
