package dev.handoff.internal.job;

import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.Ledger;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.pekko.actor.typed.ActorRef;

/// Collaborators of all jobs of a partition; one instance per partition.
public record JobEnvironment(
    ActorRef<Ledger.Command> ledger,
    JobNotice.Receiver dispatcher,
    ActorRef<PartitionNotice> partition,
    FactCodec codec,
    InstantSource clock,
    JobSettings settings,
    HistoryRules history) {

  /// Current time in whole milliseconds, the stored precision.
  Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }
}
