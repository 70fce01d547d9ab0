/// Circuit breakers. [dev.handoff.breaker.BreakerCommands] makes protected calls and controls
/// breakers; [dev.handoff.breaker.BreakerInfo] is the state of one breaker.
@NullMarked
package dev.handoff.breaker;

import org.jspecify.annotations.NullMarked;
