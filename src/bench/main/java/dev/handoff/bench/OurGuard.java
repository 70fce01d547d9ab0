package dev.handoff.bench;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobError;
import dev.handoff.breaker.BreakerStatus;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.breaker.Breaker;
import dev.handoff.internal.breaker.BreakerSettings;
import dev.handoff.internal.breaker.Breakers;
import dev.handoff.internal.breaker.GuardedCalls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Handoff's breaker: an actor per name, reached through the registry actor.
final class OurGuard implements BreakerRaces {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final CompletionStage<String> DONE = CompletableFuture.completedStage("done");
  private static final Duration TOOK = Duration.ofNanos(1_000);
  private static final CancellationToken NEVER = new CancellationSource().token();
  private static final JobError ERROR = JobError.of("no-route", "no route");

  /// Answers that a pair waits for.
  enum Pair {
    ASKED("Handoff"),
    HEARD("Handoff, both awaited"),
    CALLED("Handoff, a whole call");

    private final String label;

    Pair(String label) {
      this.label = label;
    }
  }

  private final Pair pair;
  private final ActorSystem<Breakers.Command> system;
  private final GuardedCalls calls;

  OurGuard(Pair pair) {
    this.pair = pair;
    var settings =
        ConfigFactory.parseString(
                """
                breakers.default { open-for = 100ms, trial-deadline = 100ms }
                breakers.named.count.failure-threshold = %d
                """
                    .formatted(BreakerBench.THREADS * BreakerBench.FAILURES + 1))
            .withFallback(ConfigFactory.defaultReference().resolve().getConfig("handoff"));
    var ending = new CancellationSource();
    system =
        ActorSystem.create(
            Breakers.create(
                new Breakers.Environment(
                    BreakerSettings.from(settings),
                    InstantSource.system(),
                    ThreadLocalRandom::current,
                    ending)),
            "ours",
            BreakerBench.SYSTEM);
    calls = new GuardedCalls(ActorQuestions.on(system), system, ending.token());
  }

  @Override
  public String name() {
    return pair.label;
  }

  @Override
  public void pair() {
    if (pair == Pair.CALLED) {
      calls.call("speed", LONG, NEVER, token -> DONE).toCompletableFuture().join();
    } else {
      succeed(acquire("speed"));
    }
  }

  private Breaker.Permit acquire(String name) {
    return ask(name) instanceof Breaker.Permit permit ? permit : refused();
  }

  private static Breaker.Permit refused() {
    throw new IllegalStateException("not let through");
  }

  private Breaker.Answer ask(String name) {
    return this.<Breakers.Command, Breaker.Answer>ask(
        system, replyTo -> new Breakers.Acquire(name, replyTo));
  }

  private <C, R> R ask(ActorRef<C> whom, Function<ActorRef<R>, C> message) {
    return AskPattern.<C, R>ask(whom, message::apply, LONG, system.scheduler())
        .toCompletableFuture()
        .join();
  }

  private void succeed(Breaker.Permit permit) {
    if (pair == Pair.HEARD) {
      this.<Breaker.Command, Breaker.Heard>ask(
          permit.breaker(), replyTo -> new Breaker.Succeeded(permit, TOOK, replyTo));
    } else {
      permit.breaker().tell(new Breaker.Succeeded(permit, TOOK, system.ignoreRef()));
    }
  }

  private void fail(String name, int failures) {
    for (int i = 0; i < failures; i++) {
      var permit = acquire(name);
      this.<Breaker.Command, Breaker.Heard>ask(
          permit.breaker(), replyTo -> new Breaker.Failed(permit, ERROR, TOOK, replyTo));
    }
  }

  private BreakerStatus status(String name) {
    return ((Breakers.Found)
            this.<Breakers.Command, Breakers.Reply>ask(
                system, replyTo -> new Breakers.Steer(name, Breaker.Order.LOOK, replyTo)))
        .info()
        .status();
  }

  private void openAndWait(String name) {
    fail(name, 3);
    BreakerRaces.require(BreakerRaces.until(() -> status(name) == BreakerStatus.HALF_OPEN));
  }

  @Override
  public Shown lateSuccess() {
    var before = acquire("late");
    openAndWait("late");
    acquire("late"); // trial
    succeed(before);
    return BreakerRaces.lateSuccess(status("late") == BreakerStatus.CLOSED);
  }

  @Override
  public Shown hungTrial() {
    openAndWait("hung");
    long began = System.nanoTime();
    acquire("hung");
    boolean let = BreakerRaces.until(() -> ask("hung") instanceof Breaker.Permit);
    long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
    return let
        ? BreakerRaces.doesNot(
            "for %d ms: its trial-deadline, and the time until the next trial".formatted(millis))
        : BreakerRaces.shows("none let through in %d s".formatted(PATIENCE.toSeconds()));
  }

  @Override
  public Shown runsOn() {
    var body = new Blocking();
    calls
        .call("body", SHORT, NEVER, token -> CompletableFuture.completedStage(body.run()))
        .toCompletableFuture()
        .join();
    return body.seen();
  }

  @Override
  public Shown lostCount(int threads, int failuresEach) {
    BreakerRaces.atOnce(threads, () -> fail("count", failuresEach));
    boolean early = status("count") != BreakerStatus.CLOSED;
    fail("count", 1);
    return BreakerRaces.lostCount(early, status("count") == BreakerStatus.OPEN);
  }

  @Override
  public void close() {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }
}
