/// Life of a job. [dev.handoff.internal.job.JobState] is the whole state of a job,
/// [dev.handoff.internal.job.JobTransitions] are its rules. The actor
/// [dev.handoff.internal.job.JobActor] only carries them out: it takes commands, appends facts, and
/// sends the consequences after the facts are durable. [dev.handoff.internal.job.Job] lists the
/// messages to a job.
///
/// ```
/// Job.Command                           sender
///  ├─ Do(JobCommand.OfJob)              callers, plans
///  ├─ UpdateAttempt(…OfAttempt)         worker, dispatcher
///  ├─ Claim(credit)                     dispatcher
///  ├─ AddChild, SameKey                 the worker of its attempt; a submission with the same key
///  ├─ Get, Watch                        callers
///  └─ (internal)                        ledger replies, ends of children, the timer that repeats a Stop
/// JobNotice    job → dispatcher         Ready │ Taken │ Declined │ Freed │ Withdrawn …
/// WorkerOrder  job → worker             Run │ Stop
/// JobReply     job → caller             to Do
/// ReportReply  job → worker, dispatcher to UpdateAttempt
/// ChildReply   job → its attempt        to AddChild
/// StateReply, WatchReply                to Get, to Watch
/// ```
@NullMarked
package dev.handoff.internal.job;

import org.jspecify.annotations.NullMarked;
