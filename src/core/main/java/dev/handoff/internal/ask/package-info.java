/// Requests to actors from ordinary threads; the answers are stages.
///
/// ```
/// caller ──request, its ReplySink as replyTo──▶ any actor ──reply──▶ ReplySink ──▶ a stage
///    └────Asked(sink)──▶ OpenQuestions: time-outs, and the end of the engine
///
/// EngineStage ──steps of the engine, on threads of its own──▶ AnswerStage ──▶ callbacks of users
/// ```
///
/// A stage completes immediately, on the replying actor's thread. Its callbacks run on
/// [dev.handoff.internal.ask.CallbackThreads]. Engine steps and user callbacks use different
/// threads, so users who block all of theirs cannot delay an answer. Unlike Pekko's ask, no part
/// uses `ForkJoinPool.commonPool()`.
@NullMarked
package dev.handoff.internal.ask;

import org.jspecify.annotations.NullMarked;
