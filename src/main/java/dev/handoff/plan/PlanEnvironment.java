package dev.handoff.plan;

import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.Ledger;
import dev.handoff.plan.change.SetBody;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;

/// What every plan of a partition works with: one of these per partition.
///
/// @param retryAfter when to ask again what cannot be answered now
public record PlanEnvironment(
    ActorRef<Ledger.Command> ledger,
    ActorRef<PlanNotice> partition,
    Helpers helpers,
    FactCodec codec,
    Time time,
    PlanSettings settings,
    Duration retryAfter) {

  /// @param clock the time of day, which may be set
  /// @param nanoTime a time that only goes forward
  public record Time(InstantSource clock, LongSupplier nanoTime) {}

  /// Who does what a plan's own thread must not wait for.
  public record Helpers(Keeper keeper, ActorRef<Applies.Command> applies) {}

  /// Stores what a changeset holds.
  public interface Keeper {
    /// Done when it is durable.
    ///
    /// @param owner the plan that uses it
    /// @return the SHA-256 that it is stored under
    CompletionStage<String> keep(PlanId owner, SetBody body);
  }

  /// The time, in whole milliseconds: as it is stored.
  Instant now() {
    return Instant.ofEpochMilli(time.clock().millis());
  }
}
