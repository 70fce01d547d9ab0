package dev.handoff.internal.ask;

import dev.handoff.internal.actor.FatalErrorGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Registry of an engine's open requests and running streams. A request fails at its time-out. The
/// end of the engine fails all open requests at once, with the reason, and completes all streams.
///
/// ```
/// open ──End, or its actor system ends──▶ over: fails all open requests
/// ```
public final class OpenQuestions extends AbstractMatchingBehavior<OpenQuestions.Command> {

  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Registers a request.
  record Asked(ReplySink<?, ?> sink) implements Command {}

  /// Registers a running stream.
  record StreamBegan(RunningStream stream) implements Command {}

  record StreamOver(RunningStream stream) implements Command {}

  /// Ends the engine's requests; the first given reason counts.
  record End(String reason) implements Command {}

  /// Completes the future when no stream is running.
  record AwaitStreams(CompletableFuture<Void> none) implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  /// One run of a stream.
  interface RunningStream {
    void end();
  }

  /// Resolution of time-outs. Time-outs count ticks instead of time, so a suspended machine does
  /// not expire them.
  static final Duration TICK = Duration.ofMillis(250);

  static final String GONE = "its actor system has ended";
  private static final String TIMER = "tick";

  private record Open(ReplySink<?, ?> sink, long dueTick) {}

  private final TimerScheduler<Command> timers;
  private final CompletableFuture<String> over;
  private final List<Open> open = new ArrayList<>();
  private final Set<RunningStream> streams = new HashSet<>();
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private final Consumer<Command> taking = this::take;
  private final Consumer<String> telling = this::tellAll;
  private long ticks;

  private OpenQuestions(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      CompletableFuture<String> over) {
    super(context);
    this.timers = timers;
    this.over = over;
  }

  /// @param over completes with the reason when requests are no longer answered
  static Behavior<Command> create(CompletableFuture<String> over) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(OpenQuestions.class);
          return Behaviors.withTimers(timers -> new OpenQuestions(context, timers, over));
        });
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    FullHeapSteps.outlast(taking, message);
    return this;
  }

  /// Handles a message. Idempotent, because it is repeated after a failure for lack of memory.
  private void take(Command message) {
    switch (message) {
      case Asked(var sink) -> onAsked(sink);
      case Tick tick -> onTick();
      case StreamBegan(var stream) -> streams.add(stream);
      case StreamOver(var stream) -> streams.remove(stream);
      case AwaitStreams(var none) -> waiting.add(none);
      case End(var reason) -> over.complete(reason);
    }
    tellTheEnd();
    if (streams.isEmpty()) {
      waiting.forEach(none -> none.complete(null));
      waiting.clear();
    }
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    if (signal instanceof PostStop) {
      over.complete(GONE);
      tellTheEnd();
      waiting.forEach(none -> none.complete(null));
      return this;
    }
    return Behaviors.unhandled();
  }

  private void onAsked(ReplySink<?, ?> sink) {
    if (!sink.isAnswered()) {
      if (open.isEmpty()) {
        timers.startTimerWithFixedDelay(TIMER, Tick.INSTANCE, TICK);
      }
      open.add(new Open(sink, ticks + 1 + sink.patience().dividedBy(TICK)));
    }
  }

  private void onTick() {
    long now = ticks + 1;
    open.removeIf(question -> isOver(question, now));
    if (open.isEmpty()) {
      timers.cancel(TIMER);
    }
    ticks = now;
  }

  private static boolean isOver(Open question, long now) {
    if (question.dueTick() <= now) {
      question.sink().failLate();
    }
    return question.sink().isAnswered();
  }

  /// Checked after each message, so that the end is handled even if its message was lost.
  private void tellTheEnd() {
    var reason = over.getNow(null);
    if (reason != null) {
      FullHeapSteps.outlast(telling, reason);
    }
  }

  private void tellAll(String reason) {
    open.forEach(question -> question.sink().fail(reason));
    open.clear();
    timers.cancel(TIMER);
    streams.forEach(RunningStream::end);
  }
}
