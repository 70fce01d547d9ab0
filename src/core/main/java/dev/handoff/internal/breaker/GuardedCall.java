package dev.handoff.internal.breaker;

import dev.handoff.JobError;
import dev.handoff.breaker.GuardedCode;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/// One guarded call. Completion, deadline, stop and engine shutdown may race on any thread. The
/// first to complete `decided` sets the outcome; only this one reports to the breaker and answers
/// the caller. User code never runs on a breaker's thread.
final class GuardedCall<T> {

  /// Time limit from the permit request to the start of the code.
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /// Time limit of the permit request itself. A permit that arrives after [#PATIENCE] is released.
  private static final Duration LISTENING = Duration.ofMinutes(5);

  /// Time limit for the start on a virtual thread. CPU-bound handlers can occupy all carrier
  /// threads; then a platform thread runs the call.
  private static final Duration PROMPT = Duration.ofMillis(500);

  private static final Executor VIRTUAL =
      task -> Thread.ofVirtual().name("handoff-guarded-call").start(task);
  private static final ExecutionContext TIMERS =
      ExecutionContext.fromExecutor(CallbackThreads.answers());

  private final String name;
  private final Duration deadline;
  private final GuardedCode<T> body;
  private final Consumer<Throwable> thrown;
  private final ActorQuestions questions;
  private final CancellationSource source = new CancellationSource();
  private final CompletableFuture<Breaker.Permit> permit = new CompletableFuture<>();

  /// Runs once, on the first thread that reaches it. A cancel interrupts this thread only during
  /// the run.
  private final FutureTask<Void> code = new FutureTask<>(this::run, null);

  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private final CompletableFuture<Void> late = new CompletableFuture<>();
  private final CompletableFuture<CompletionStage<T>> returned = new CompletableFuture<>();
  private final CompletableFuture<CallOutcome<T>> decided = new CompletableFuture<>();
  private final CompletableFuture<CallOutcome<T>> answer = new EngineStage<>();

  GuardedCall(
      String name,
      Duration deadline,
      GuardedCode<T> body,
      Consumer<Throwable> thrown,
      ActorQuestions questions) {
    this.name = name;
    this.deadline = deadline;
    this.body = body;
    this.thrown = thrown;
    this.questions = questions;
  }

  CompletionStage<CallOutcome<T>> start(
      ActorRef<Breakers.Command> breakers, CancellationToken stop, CancellationToken ending) {
    stop.onCancelUntil(decided, CallbackThreads.answers(), this::stop);
    ending.onCancelUntil(decided, CallbackThreads.answers(), this::end);
    try {
      after(PROMPT, begun, this::takeOver);
      questions.<Breakers.Command, Breaker.Answer, Boolean>ask(
          breakers,
          replyTo -> new Breakers.Acquire(name, replyTo),
          LISTENING,
          IllegalStateException::new,
          (reply, failure) -> onAnswer(reply));
    } catch (IllegalStateException systemIsGone) {
      refuse("the engine has ended");
    }
    return answer;
  }

  /// Runs on an actor's thread.
  private boolean onAnswer(Breaker.@Nullable Answer reply) {
    return switch (reply) {
      case Breaker.Permit given -> begin(given);
      case Breaker.Rejected(var retryAt, var reason) ->
          finish(new CallOutcome.Rejected<>(retryAt, reason));
      case Breaker.Refused(var reason) -> refuse(reason);
      case null -> refuse("the breakers do not answer");
    };
  }

  private boolean begin(Breaker.Permit given) {
    permit.complete(given);
    VIRTUAL.execute(code);
    if (late.isDone()) {
      CallbackThreads.calls().execute(code);
    }
    return true;
  }

  /// Switches to a platform thread if the code has not started in time.
  private void takeOver() {
    late.complete(null);
    if (permit.isDone()) {
      CallbackThreads.calls().execute(code);
    }
    after(PATIENCE.minus(PROMPT), begun, this::giveUp);
  }

  private void run() {
    if (decided.isDone()) {
      return;
    }
    long began = System.nanoTime();
    try {
      after(deadline, decided, this::timeOut);
      begun.complete(null);
      var stage = body.run(source.token());
      if (stage == null) {
        throw new NullPointerException(
            "the call \"%s\" returned null instead of a stage".formatted(name));
      }
      returned.complete(stage);
      EngineStage.whenDone(stage, (value, failure) -> onStageEnd(value, failure, began));
    } catch (Throwable failure) {
      onEnd(null, failure, began);
    }
  }

  /// Schedules the task; cancelled when `unless` or `decided` completes first.
  private void after(Duration delay, CompletableFuture<?> unless, Runnable task) {
    Cancellable timer = questions.system().scheduler().scheduleOnce(delay, task, TIMERS);
    unless.thenRun(timer::cancel);
    decided.thenRun(timer::cancel);
  }

  private void giveUp() {
    if (!begun.isDone()) {
      var reason = "the breakers do not answer";
      finish(
          new CallOutcome.Refused<>(reason),
          new Cancellation(Cancellation.Cause.SHUTDOWN, reason, "breaker"));
    }
  }

  /// Handles the end of the stage, possibly on a foreign thread. A failure moves to a call thread,
  /// because methods of an exception are user code.
  private void onStageEnd(@Nullable T value, @Nullable Throwable failure, long began) {
    if (failure == null) {
      onEnd(value, null, began);
    } else {
      CallbackThreads.calls().execute(() -> onEnd(null, failure, began));
    }
  }

  private void onEnd(@Nullable T value, @Nullable Throwable failure, long began) {
    var took = Duration.ofNanos(System.nanoTime() - began);
    if (failure != null) {
      var cause = StageFailures.cause(failure);
      thrown.accept(cause);
      finish(new CallOutcome.Threw<>(JobError.of(cause), took));
    } else if (!finish(new CallOutcome.Returned<>(value, took))) {
      // The breaker counts this report as late only.
      tell(given -> new Breaker.Succeeded(given, took, questions.system().ignoreRef()));
    }
  }

  private void timeOut() {
    var reason =
        "the call \"%s\" took longer than %s".formatted(name, DurationWords.exact(deadline));
    finish(
        new CallOutcome.TimedOut<>(deadline),
        new Cancellation(Cancellation.Cause.TIMEOUT, reason, "breaker"));
  }

  private void stop(Cancellation why) {
    finish(new CallOutcome.Stopped<>(why), why);
  }

  private void end(Cancellation why) {
    if (permit.isDone()) {
      stop(why);
    } else {
      refuse(why.reason());
    }
  }

  private boolean refuse(String reason) {
    return finish(new CallOutcome.Refused<>(reason));
  }

  private boolean finish(CallOutcome<T> outcome) {
    return finish(outcome, null);
  }

  /// Completes the call; only the first outcome counts. The breaker gets its report before the
  /// caller gets the answer.
  ///
  /// @param stopped reason for stopping the code; null if the code has ended or never started
  private boolean finish(CallOutcome<T> outcome, @Nullable Cancellation stopped) {
    boolean first = decided.complete(outcome);
    if (first) {
      tell(given -> report(given, outcome));
      if (stopped != null) {
        stopCode(stopped);
      }
      answer.complete(outcome);
    }
    return first;
  }

  private Breaker.Report report(Breaker.Permit given, CallOutcome<T> outcome) {
    ActorRef<Breaker.Heard> nobody = questions.system().ignoreRef();
    return switch (outcome) {
      case CallOutcome.Returned<T>(var value, var took) ->
          new Breaker.Succeeded(given, took, nobody);
      case CallOutcome.Threw<T>(var error, var took) ->
          new Breaker.Failed(given, error, took, nobody);
      case CallOutcome.TimedOut<T>(var after) ->
          new Breaker.Failed(given, timeoutError(after), after, nobody);
      case CallOutcome.Stopped<T> stopped -> new Breaker.Released(given, nobody);
      case CallOutcome.Refused<T> refused -> new Breaker.Released(given, nobody);
      case CallOutcome.Rejected<T> rejected -> new Breaker.Released(given, nobody);
    };
  }

  private static JobError timeoutError(Duration after) {
    return JobError.of("timed-out", "it took longer than %s".formatted(DurationWords.exact(after)));
  }

  /// Reports the permit to its breaker, now or on the permit's arrival.
  private void tell(Function<Breaker.Permit, Breaker.Report> report) {
    permit.thenAccept(given -> given.breaker().tell(report.apply(given)));
  }

  private void stopCode(Cancellation why) {
    source.cancel(why);
    code.cancel(true);
    returned.thenAcceptAsync(GuardedCall::cancel, CallbackThreads.callbacks());
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(true);
    } catch (Throwable cannotBeCancelled) {
      // The stage cannot be cancelled; its result is discarded.
    }
  }
}
