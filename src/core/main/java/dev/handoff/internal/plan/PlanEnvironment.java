package dev.handoff.internal.plan;

import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.plan.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;

/// Environment shared by all plans of a partition.
///
/// @param retryAfter retry hint for commands that cannot be answered now
public record PlanEnvironment(
    ActorRef<Ledger.Command> ledger,
    ActorRef<PlanNotice> partition,
    Helpers helpers,
    FactCodec codec,
    Time time,
    PlanSettings settings,
    Duration retryAfter) {

  /// @param clock wall clock, which may be set
  /// @param nanoTime monotonic clock
  public record Time(InstantSource clock, LongSupplier nanoTime) {}

  /// Services for work that would block a plan's actor.
  public record Helpers(Keeper keeper, ActorRef<ApplyRunner.Command> applies) {}

  /// Store of changeset bodies.
  public interface Keeper {
    /// Stores a changeset body. Completes when the body is durable.
    ///
    /// @param owner plan that uses the body
    /// @return SHA-256 of the stored body
    CompletionStage<String> keep(PlanId owner, SetBody body);
  }

  /// Current time in whole milliseconds, the stored precision.
  Instant now() {
    return Instant.ofEpochMilli(time.clock().millis());
  }
}
