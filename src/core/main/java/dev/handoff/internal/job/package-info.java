/// Life of a job. [dev.handoff.internal.job.JobState] is the whole state of a job,
/// [dev.handoff.internal.job.JobTransitions] are its rules. The actor
/// [dev.handoff.internal.job.JobActor] only carries them out: it takes commands, appends facts, and
/// sends the consequences after the facts are durable. [dev.handoff.internal.job.Job] lists the
/// messages to a job.
///
/// ```
/// Job.Command                           sender
///  ├─ Do(JobCommand)                    callers, dispatcher, worker: an order or a report, and where to answer
///  ├─ Claim(credit)                     dispatcher
///  ├─ AddChild, SameKey                 the worker of its attempt; a submission with the same key
///  ├─ Get, Watch                        callers
///  └─ (internal)                        ledger replies, ends of children, the timer that repeats a Stop
/// JobNotice    job → dispatcher         Ready │ Taken │ Declined │ Freed │ Withdrawn …
/// WorkerOrder  job → worker             Run │ Stop
/// JobReply     job → requester
/// ```
@NullMarked
package dev.handoff.internal.job;

import org.jspecify.annotations.NullMarked;
