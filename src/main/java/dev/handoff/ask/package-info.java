/// Questions to actors from threads that are none: the answers come back as stages.
///
/// ```
/// caller ──question, its ReplySink as replyTo──▶ any actor ──reply──▶ ReplySink ──▶ a stage
///    └────Asked(sink)──▶ OpenQuestions: time-outs, and the end of the engine
///
/// EngineStage ──steps of the engine, on threads of its own──▶ AnswerStage ──▶ callbacks of users
/// ```
///
/// A stage is complete at once, on the thread of the actor that has answered; what follows from it
/// runs on [dev.handoff.ask.CallbackThreads]: steps of the engine and callbacks of users on
/// different ones, so that users who block all of theirs keep no answer from being made. Nothing of
/// it waits for a thread of `ForkJoinPool.commonPool()`, as the stages of Pekko's ask do.
@NullMarked
package dev.handoff.ask;

import org.jspecify.annotations.NullMarked;
