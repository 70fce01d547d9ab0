/// Questions to actors from threads that are none: the answers come back as stages.
///
/// ```
/// caller ──question, its ReplySink as replyTo──▶ any actor ──reply──▶ ReplySink ──▶ AnswerStage
///    └────Asked(sink)──▶ OpenQuestions: time-outs, and the end of the engine
/// ```
///
/// An [dev.handoff.ask.AnswerStage] is complete at once, on the thread of the actor that has
/// answered; what follows from it runs on [dev.handoff.ask.CallbackThreads]. Nothing of it waits
/// for a thread of `ForkJoinPool.commonPool()`, as the stages of Pekko's ask do.
@NullMarked
package dev.handoff.ask;

import org.jspecify.annotations.NullMarked;
