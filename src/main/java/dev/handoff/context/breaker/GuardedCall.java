package dev.handoff.context.breaker;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.job.JobError;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;
import scala.concurrent.ExecutionContextExecutor;

/// One guarded call. Its end, its deadline, a stop and the engine's end may come at once and from
/// any thread: the first to complete `decided` is what the call has ended as, and it alone reports
/// and answers. No code of users runs on a thread of the breakers.
final class GuardedCall<T> {

  /// How long an answer is waited for.
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /// How long an answer is listened for: a permit that comes too late is given back.
  private static final Duration LISTENING = Duration.ofMinutes(5);

  private static final ExecutionContextExecutor VIRTUAL =
      ExecutionContext.fromExecutor(
          task -> Thread.ofVirtual().name("handoff-guarded-call").start(task));

  private final String name;
  private final Duration deadline;
  private final GuardedCalls.Body<T> body;
  private final Consumer<Throwable> thrown;
  private final ActorSystem<?> system;
  private final CancellationSource source = new CancellationSource();
  private final CompletableFuture<Breaker.Permit> permit = new CompletableFuture<>();
  private final CompletableFuture<Thread> thread = new CompletableFuture<>();
  private final CompletableFuture<CompletionStage<T>> returned = new CompletableFuture<>();
  private final CompletableFuture<CallOutcome<T>> decided = new CompletableFuture<>();
  private final CompletableFuture<CallOutcome<T>> answer = new CompletableFuture<>();

  GuardedCall(
      String name,
      Duration deadline,
      GuardedCalls.Body<T> body,
      Consumer<Throwable> thrown,
      ActorSystem<?> system) {
    this.name = name;
    this.deadline = deadline;
    this.body = body;
    this.thrown = thrown;
    this.system = system;
  }

  CompletionStage<CallOutcome<T>> start(
      ActorRef<Breakers.Command> breakers, CancellationToken stop, CancellationToken ending) {
    stop.onCancelUntil(decided, this::stop);
    ending.onCancelUntil(decided, this::end);
    try {
      after(PATIENCE, thread, this::giveUp);
      AskPattern.<Breakers.Command, Breaker.Answer>ask(
              breakers,
              replyTo -> new Breakers.Acquire(name, replyTo),
              LISTENING,
              system.scheduler())
          .whenComplete((reply, failure) -> onAnswer(reply));
    } catch (IllegalStateException systemIsGone) {
      refuse("the engine has ended");
    }
    return answer.minimalCompletionStage();
  }

  /// On an actor's thread.
  private void onAnswer(Breaker.@Nullable Answer reply) {
    switch (reply) {
      case Breaker.Permit given -> {
        permit.complete(given);
        VIRTUAL.execute(this::run);
      }
      case Breaker.Rejected(var retryAt, var reason) ->
          VIRTUAL.execute(() -> finish(new CallOutcome.Rejected<>(retryAt, reason)));
      case Breaker.Refused(var reason) -> VIRTUAL.execute(() -> refuse(reason));
      case null -> VIRTUAL.execute(() -> refuse("the breakers do not answer"));
    }
  }

  private void run() {
    if (decided.isDone()) {
      return;
    }
    long began = System.nanoTime();
    try {
      after(deadline, decided, this::timeOut);
      thread.complete(Thread.currentThread());
      var stage = body.run(source.token());
      if (stage == null) {
        throw new NullPointerException(
            "the call \"%s\" returned null instead of a stage".formatted(name));
      }
      returned.complete(stage);
      stage.whenComplete((value, failure) -> onEnd(value, failure, began));
    } catch (Throwable failure) {
      onEnd(null, failure, began);
    }
  }

  /// Runs something, unless something else has come before.
  private void after(Duration delay, CompletableFuture<?> unless, Runnable task) {
    Cancellable timer = system.scheduler().scheduleOnce(delay, task, VIRTUAL);
    unless.thenRun(timer::cancel);
    decided.thenRun(timer::cancel);
  }

  private void giveUp() {
    if (!thread.isDone()) {
      var reason = "the breakers do not answer";
      finish(
          new CallOutcome.Refused<>(reason),
          new Cancellation(Cancellation.Cause.SHUTDOWN, reason, "breaker"));
    }
  }

  private void onEnd(@Nullable T value, @Nullable Throwable failure, long began) {
    var took = Duration.ofNanos(System.nanoTime() - began);
    if (failure != null) {
      var cause = unwrapped(failure);
      thrown.accept(cause);
      finish(new CallOutcome.Threw<>(JobError.of(cause), took));
    } else if (!finish(new CallOutcome.Returned<>(value, took))) {
      // Counted as late, and nothing else.
      tell(given -> new Breaker.Succeeded(given, took, system.ignoreRef()));
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException wrapper && wrapper.getCause() != null
        ? wrapper.getCause()
        : failure;
  }

  private void timeOut() {
    var reason = "the call \"%s\" took longer than %d ms".formatted(name, deadline.toMillis());
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

  private void refuse(String reason) {
    finish(new CallOutcome.Refused<>(reason));
  }

  private boolean finish(CallOutcome<T> outcome) {
    return finish(outcome, null);
  }

  /// The first outcome is the one; the breaker hears of it before anybody else.
  ///
  /// @param stopped why the code has to be stopped; null if it is over, or never began
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
    ActorRef<Breaker.Heard> nobody = system.ignoreRef();
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
    return JobError.of("timed-out", "it took longer than %d ms".formatted(after.toMillis()));
  }

  /// Tells the breaker about the permit, now or when there is one.
  private void tell(Function<Breaker.Permit, Breaker.Report> report) {
    permit.thenAccept(given -> given.breaker().tell(report.apply(given)));
  }

  private void stopCode(Cancellation why) {
    source.cancel(why);
    thread.thenAccept(Thread::interrupt);
    returned.thenAcceptAsync(GuardedCall::cancel, VIRTUAL);
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(true);
    } catch (Throwable cannotBeCancelled) {
      // Then it goes on, and what it returns is discarded.
    }
  }
}
