/// Circuit breakers as a user sees them. [dev.handoff.breaker.BreakerInfo] is the state of one
/// breaker.
@NullMarked
package dev.handoff.breaker;

import org.jspecify.annotations.NullMarked;
