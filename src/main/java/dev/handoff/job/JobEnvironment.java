package dev.handoff.job;

import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ledger;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.pekko.actor.typed.ActorRef;

/// What every job of a partition works with: one of these per partition.
public record JobEnvironment(
    ActorRef<Ledger.Command> ledger,
    ActorRef<JobNotice> dispatcher,
    ActorRef<PartitionNotice> partition,
    FactCodec codec,
    InstantSource clock,
    JobSettings settings,
    HistoryRules history) {

  /// The time, in whole milliseconds: as it is stored.
  Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }
}
