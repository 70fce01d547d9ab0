package dev.handoff.breaker;

import java.time.Instant;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/// A state transition of a breaker.
///
/// @param generation started by this transition; increases with every transition of the breaker
/// @param cause readable reason
public record BreakerChange(
    String name, long generation, Instant at, BreakerStatus from, BreakerStatus to, String cause)
    implements NoSerializationVerificationNeeded {}
