/// Circuit breakers: one actor per name decides whether guarded calls may run and when to try again
/// after failures. The mailbox serialises all messages, so counters are exact and no report is
/// lost.
///
/// ```
/// Breakers.Command
///  ├─ Acquire, Steer                  for one named breaker, created on demand
///  ├─ SteerAll                        one order for all breakers
///  ├─ Subscribe                       to transitions
///  └─ Changed, Answered               from breakers
/// Breaker.Command
///  ├─ Acquire                         Permit | Rejected
///  ├─ Succeeded, Failed, Released     report of a permit
///  ├─ Steer                           look, reset, force open, disable, automatic
///  ├─ Due                             timer of a time-dependent transition
///  └─ Retire                          make room for another breaker
/// ```
///
/// [dev.handoff.internal.breaker.BreakerState] decides; it is independent of actors and clocks.
/// [dev.handoff.internal.breaker.GuardedCalls] runs code behind a breaker.
@NullMarked
package dev.handoff.internal.breaker;

import org.jspecify.annotations.NullMarked;
