/// Who runs what, and when. Work is pulled: a pool says nothing until a dispatcher wants workers,
/// then hands it credits for idle ones; the dispatcher offers each credit to the job that is next;
/// the job takes it durably, and only then hears its worker of it.
///
/// ```
/// Dispatcher.Command
///  ├─ Notice(JobNotice)               jobs of the partition: Ready, Taken, Freed …
///  ├─ Register, Credited, Beat …      pools
///  ├─ Rules, Slots                    queues: pauses and limits over all partitions
///  └─ Hold, Drain, GetLoad            the partition
/// WorkerPool.Command
///  ├─ Registered, Want, GiveBack …    dispatchers
///  └─ Idle, Parked …                  workers
/// Worker.Command
///  ├─ Offer, Close, Shutdown …        its pool
///  ├─ Ordered(WorkerOrder)            the job: Run, Stop
///  └─ Ended, TimedOut …               the attempt's own thread, and its timers
/// Queues.Command                      pause, resume, limits; slots for queues that have one
/// ```
@NullMarked
package dev.handoff.dispatch;

import org.jspecify.annotations.NullMarked;
