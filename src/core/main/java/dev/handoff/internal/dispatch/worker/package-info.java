/// Worker, which runs one attempt at a time: call of the handler on a thread of its own, deadlines
/// of a stop, waits for children, and reports that are repeated until the job has them.
///
/// ```
/// Worker.Command
///  ├─ Offer, Close, Repeat, GoOn …    its pool
///  ├─ Ordered(WorkerOrder)            the job: Run, Stop
///  └─ HandlerBegan, HandlerEnded, Park …   the attempt's own thread, and its timers
/// ```
@NullMarked
package dev.handoff.internal.dispatch.worker;

import org.jspecify.annotations.NullMarked;
