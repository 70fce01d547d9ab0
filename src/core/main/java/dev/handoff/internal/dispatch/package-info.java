/// Dispatch of jobs to workers. Work is pulled: a pool sends nothing until a dispatcher wants
/// workers, then gives it credits for idle ones. The dispatcher offers each credit to the next job.
/// The job makes its claim durable, and only then sends the order to the worker.
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
package dev.handoff.internal.dispatch;

import org.jspecify.annotations.NullMarked;
