/// Dispatch of jobs to workers. Work is pulled: a pool sends nothing until a dispatcher wants
/// workers, then gives it credits for idle ones. The dispatcher offers each credit to the next job.
/// The job makes its claim durable, and only then sends the order to the worker.
///
/// This package has the dispatcher of a partition, the queues' actor, and the messages between
/// dispatchers, queues, pools and workers. `dispatch.ready` orders the jobs, `dispatch.pool` is a
/// node's pool, `dispatch.worker` runs the attempts.
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
/// Queues.Command                      pause, resume, limits; slots for queues that have one
/// ```
@NullMarked
package dev.handoff.internal.dispatch;

import org.jspecify.annotations.NullMarked;
