/// A job's life. [dev.handoff.job.JobState] is all there is to know of a job;
/// [dev.handoff.job.Transitions] are the rules; the actor [dev.handoff.job.JobActor] only carries
/// them: command in, facts to the ledger, and what follows from them once they are durable.
/// [dev.handoff.job.Job] is what others can send it.
///
/// ```
/// Job.Command                           who sends it
///  ├─ Do(JobCommand)                    callers, dispatcher, worker: an order or a report, and where to answer
///  ├─ Claim(credit)                     dispatcher
///  ├─ AddChild, SameKey                 the worker of its attempt; a submission with the same key
///  ├─ Get, Watch                        callers
///  └─ (internal)                        the ledger's reply, children that have ended, a Stop to be repeated
/// JobNotice    job → dispatcher         Ready │ Taken │ Declined │ Freed │ Withdrawn …
/// WorkerOrder  job → worker             Run │ Stop
/// JobReply     job → whoever asked
/// ```
@NullMarked
package dev.handoff.job;

import org.jspecify.annotations.NullMarked;
