/// Who runs what, and when. Work is pulled: a pool says nothing until a dispatcher wants workers,
/// then hands it credits for idle ones; the dispatcher offers each credit to the job that is next;
/// the job takes it durably, and only then hears its worker of it.
///
/// ```
/// Dispatcher.Command
///  ├─ Notice(JobNotice)               jobs of the partition: AboutToBeReady, Ready, Taken …
///  ├─ Register, Credited, Beat …      pools
///  ├─ Rules, Slots                    queues: pauses and limits over all partitions
///  ├─ Hold                            the partition
///  └─ Drain, GetLoad                  the engine
/// WorkerPool.Command
///  ├─ Registered, Want, GiveBack …    dispatchers
///  └─ Idle, Parked …                  workers
/// Worker.Command
///  ├─ Offer, Close, Repeat, GoOn …    its pool
///  ├─ Ordered(WorkerOrder)            the job: Run, Stop
///  └─ HandlerBegan, HandlerEnded, Park …   the attempt's own thread, and its timers
/// Queues.Command                      pause, resume, limits; slots for queues that have one
/// ```
@NullMarked
package dev.handoff.dispatch;

import org.jspecify.annotations.NullMarked;
