/// Breakers: who may call what has failed before, and when it is tried again. One actor per name
/// decides, one message after the other, so its counts are exact and no report is lost.
///
/// ```
/// Breakers.Command
///  ├─ Acquire, Steer                  for the breaker of a name, which is made if it is not there
///  ├─ List, ResetAll                  for all of them
///  ├─ Subscribe                       changes of state
///  └─ Changed, Answered               from breakers
/// Breaker.Command
///  ├─ Acquire                         Permit | Rejected
///  ├─ Succeeded, Failed, Released     what became of a permit
///  ├─ Steer                           look, reset, force open, disable, automatic
///  └─ Retire                          make room for another name
/// ```
///
/// [dev.handoff.context.breaker.BreakerState] decides, and knows neither actors nor clocks.
/// [dev.handoff.context.breaker.GuardedCalls] runs code behind a breaker.
@NullMarked
package dev.handoff.context.breaker;

import org.jspecify.annotations.NullMarked;
