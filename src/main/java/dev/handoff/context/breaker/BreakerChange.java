package dev.handoff.context.breaker;

import java.time.Instant;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/// A change of a breaker's state.
///
/// @param generation the one that has begun with it; rises with every change of one breaker
/// @param cause in words
public record BreakerChange(
    String name, long generation, Instant at, BreakerStatus from, BreakerStatus to, String cause)
    implements NoSerializationVerificationNeeded {}
