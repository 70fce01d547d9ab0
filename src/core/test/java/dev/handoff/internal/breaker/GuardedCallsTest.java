package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.breaker.GuardedCode;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BusyThreads;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A guarded call")
class GuardedCallsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final CancellationToken NEVER = new CancellationSource().token();
  private static final Cancellation WHY =
      new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "a test");

  private final CancellationSource ending = new CancellationSource();
  private final ActorRef<Breakers.Command> breakers =
      actors.spawn(
          Breakers.create(
              new Breakers.Environment(
                  BreakerSettings.from(
                      ConfigFactory.parseString("breakers.default.open-for = 1h")
                          .withFallback(
                              ConfigFactory.parseString("breakers.default.open-for-most = 2h"))
                          .withFallback(
                              ConfigFactory.defaultReference().resolve().getConfig("handoff"))),
                  InstantSource.system(),
                  ThreadLocalRandom::current,
                  ending)));
  private final GuardedCalls calls =
      new GuardedCalls(ActorQuestions.on(actors.system()), breakers, ending.token());

  @AfterEach
  void stop() {
    actors.stop(breakers);
  }

  private <T> CallOutcome<T> call(GuardedCode<T> body) {
    return BoundedWaits.get(calls.call("search", LONG, NEVER, body));
  }

  private BreakerInfo info() {
    return steer(Breaker.Order.LOOK);
  }

  private BreakerInfo steer(Breaker.Order order) {
    var reader = actors.probe(Breakers.Reply.class);
    breakers.tell(new Breakers.Steer("search", order, reader.ref()));
    return reader.expectMessageClass(Breakers.Found.class).info();
  }

  private static BreakerInfo.Counts counts(
      int calls, int successes, int failures, int released, int late) {
    return new BreakerInfo.Counts(calls, successes, failures, 0, 0, released, 0, late, failures);
  }

  @Test
  void returnsWhatItsBodyReturns() {
    var outcome = call(token -> CompletableFuture.completedStage("found"));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            CallOutcome.Returned.class, back -> assertThat(back.value()).isEqualTo("found"));
    assertThat(info().counts()).isEqualTo(counts(1, 1, 0, 0, 0));
  }

  @Test
  void mayReturnNothing() {
    var outcome = GuardedCallsTest.this.<Void>call(token -> CompletableFuture.completedStage(null));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            CallOutcome.Returned.class, back -> assertThat(back.value()).isNull());
  }

  @Test
  void mayBlockAndCompleteLater() {
    var later = new CompletableFuture<String>();
    var begun = new CountDownLatch(1);
    var call =
        calls.call(
            "search",
            LONG,
            NEVER,
            token -> {
              begun.countDown();
              return later;
            });

    await(begun);
    assertThat(call.toCompletableFuture()).isNotDone();
    assertThat(info().out()).isEqualTo(1);
    later.complete("found");

    assertThat(BoundedWaits.get(call)).isInstanceOf(CallOutcome.Returned.class);
    assertThat(info().out()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Unreadable extends RuntimeException {
    @Override
    public String getMessage() {
      throw new IllegalStateException("no message either");
    }
  }

  private static Throwable cyclic() {
    var first = new RuntimeException("first");
    first.initCause(new RuntimeException("second", first));
    return first;
  }

  private static int deep(int level) {
    return level < 0 ? 0 : 1 + deep(level + 1);
  }

  static Stream<GuardedCode<String>> failing() {
    return Stream.of(
        token -> {
          throw new IOException("no route");
        },
        token -> {
          throw new AssertionError("an error");
        },
        token -> {
          throw new NoClassDefFoundError("gone");
        },
        token -> CompletableFuture.completedStage("level " + deep(0)),
        token -> {
          throw (RuntimeException) null;
        },
        token -> {
          throw new Unreadable();
        },
        token -> CompletableFuture.failedStage(cyclic()),
        token -> CompletableFuture.failedStage(new CompletionException(null)),
        token -> CompletableFuture.supplyAsync(() -> "level " + deep(0)),
        token -> null);
  }

  @ParameterizedTest
  @MethodSource("failing")
  void failsWithWhateverItsBodyThrows(GuardedCode<String> body) {
    var outcome = call(body);

    assertThat(outcome).isInstanceOf(CallOutcome.Threw.class);
    assertThat(info().counts()).isEqualTo(counts(1, 0, 1, 0, 0));
    assertThat(call(token -> CompletableFuture.completedStage("goes on")))
        .isInstanceOf(CallOutcome.Returned.class);
  }

  @Test
  void saysWhatIsWrongWithANullInsteadOfAStage() {
    var outcome = call(token -> null);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            CallOutcome.Threw.class,
            threw ->
                assertThat(threw.error().message())
                    .isEqualTo("the call \"search\" returned null instead of a stage"));
  }

  @Test
  void namesTheExceptionAndNotItsWrapper() {
    var outcome =
        call(
            token ->
                CompletableFuture.supplyAsync(
                    () -> {
                      throw new IllegalArgumentException("a bad word");
                    }));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            CallOutcome.Threw.class,
            threw -> {
              assertThat(threw.error().type()).isEqualTo(IllegalArgumentException.class.getName());
              assertThat(threw.error().message()).isEqualTo("a bad word");
            });
  }

  @Test
  void isNotMadeOnceItsBreakerIsOpenAndWhoeverCallsNextSeesThat() {
    for (int i = 0; i < 3; i++) {
      call(token -> CompletableFuture.failedStage(new IOException("no route")));
    }

    var outcome =
        call(
            token -> {
              throw new AssertionError("it was made");
            });

    assertThat(outcome)
        .isInstanceOfSatisfying(
            CallOutcome.Rejected.class,
            rejected -> {
              assertThat(rejected.reason()).isEqualTo("it is open");
              assertThat(rejected.retryAt()).isEqualTo(info().retryAt());
            });
    assertThat(info().lastErrors()).hasSize(3);
  }

  @Test
  void isStoppedAtItsDeadlineAndCountsOnceAsAFailure() {
    var interrupted = new CompletableFuture<Cancellation>();
    var outcome =
        BoundedWaits.get(
            calls.<String>call(
                "search",
                SHORT,
                NEVER,
                token -> {
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.complete(token.cancellation().orElse(null));
                  }
                  return CompletableFuture.completedStage("too late");
                }));

    assertThat(outcome).isEqualTo(new CallOutcome.TimedOut<>(SHORT));
    assertThat(BoundedWaits.get(interrupted).cause()).isEqualTo(Cancellation.Cause.TIMEOUT);
    BoundedWaits.until("its late success was counted", () -> info().counts().late() == 1);
    assertThat(info().counts()).isEqualTo(counts(1, 0, 1, 0, 1));
  }

  @Test
  void cancelsTheStageThatItsBodyReturned() {
    var never = new CompletableFuture<String>();

    var outcome = BoundedWaits.get(calls.call("search", SHORT, NEVER, token -> never));

    assertThat(outcome).isEqualTo(new CallOutcome.TimedOut<>(SHORT));
    BoundedWaits.until("the stage was cancelled", never::isCancelled);
    assertThat(info().counts()).isEqualTo(counts(1, 0, 1, 0, 0));
  }

  @Test
  void cancelsAStageThatIsReturnedAfterTheDeadline() {
    var never = new CompletableFuture<String>();
    var outcome =
        BoundedWaits.get(
            calls.call(
                "search",
                SHORT,
                NEVER,
                token -> {
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException itsTimeIsOver) {
                    assertThat(token.isCancelled()).isTrue();
                  }
                  return never;
                }));

    assertThat(outcome).isInstanceOf(CallOutcome.TimedOut.class);
    BoundedWaits.until("the stage was cancelled", never::isCancelled);
  }

  @Test
  void goesOnWithoutAStageThatCannotBeCancelled() {
    var minimal = new CompletableFuture<String>().minimalCompletionStage();

    assertThat(BoundedWaits.get(calls.call("search", SHORT, NEVER, token -> minimal)))
        .isEqualTo(new CallOutcome.TimedOut<>(SHORT));
  }

  @Test
  void countsForNothingWhenItIsStopped() {
    var stop = new CancellationSource();
    var begun = new CountDownLatch(1);
    var seen = new CompletableFuture<Cancellation>();
    var call =
        calls.<String>call(
            "search",
            LONG,
            stop.token(),
            token -> {
              begun.countDown();
              token.onCancel(seen::complete);
              return new CompletableFuture<>();
            });
    await(begun);

    stop.cancel(WHY);

    assertThat(BoundedWaits.get(call)).isEqualTo(new CallOutcome.Stopped<>(WHY));
    assertThat(BoundedWaits.get(seen)).isEqualTo(WHY);
    assertThat(info().counts()).isEqualTo(counts(1, 0, 0, 1, 0));
  }

  @Test
  void isNotMadeWhenItIsStoppedAlready() {
    var stop = new CancellationSource();
    stop.cancel(WHY);

    var outcome = BoundedWaits.get(calls.<String>call("search", LONG, stop.token(), token -> null));

    assertThat(outcome).isEqualTo(new CallOutcome.Stopped<>(WHY));
  }

  @Test
  void givesAPermitBackThatComesAfterItWasStopped() {
    var stop = new CancellationSource();
    var registry = actors.probe(Breakers.Command.class);
    var breaker = actors.probe(Breaker.Command.class);
    var call =
        new GuardedCalls(ActorQuestions.on(actors.system()), registry.ref(), ending.token())
            .call(
                "search",
                LONG,
                stop.token(),
                token -> CompletableFuture.completedStage("nobody wants it"));
    var asked = registry.expectMessageClass(Breakers.Acquire.class);

    stop.cancel(WHY);
    assertThat(BoundedWaits.get(call)).isEqualTo(new CallOutcome.Stopped<>(WHY));
    var late = new Breaker.Permit("search", 1, 1, true, breaker.ref());
    asked.replyTo().tell(late);

    assertThat(breaker.expectMessageClass(Breaker.Released.class).permit()).isEqualTo(late);
    breaker.expectNoMessage();
  }

  @Test
  void isRefusedWithoutANameOrWithADeadlineThatIsNone() {
    assertThat(BoundedWaits.get(calls.<String>call("a b", LONG, NEVER, token -> null)))
        .isInstanceOfSatisfying(
            CallOutcome.Refused.class,
            refused -> assertThat(refused.reason()).contains("breaker \"a b\" is not a name"));
    assertThat(BoundedWaits.get(calls.<String>call("search", Duration.ZERO, NEVER, token -> null)))
        .isInstanceOf(CallOutcome.Refused.class);
    assertThat(
            BoundedWaits.get(
                calls.<String>call("search", Duration.ofDays(99), NEVER, token -> null)))
        .isInstanceOf(CallOutcome.Refused.class);
    for (var odd :
        List.of(BreakerSettings.SHORTEST.minusNanos(1), BreakerSettings.LONGEST.plusNanos(1))) {
      assertThat(BoundedWaits.get(calls.<String>call("search", odd, NEVER, token -> null)))
          .isInstanceOf(CallOutcome.Refused.class);
    }
    for (var fine : List.of(BreakerSettings.SHORTEST, BreakerSettings.LONGEST)) {
      assertThat(BoundedWaits.get(calls.<String>call("search", fine, NEVER, token -> null)))
          .isNotInstanceOf(CallOutcome.Refused.class);
    }
    var forever = ChronoUnit.FOREVER.getDuration();
    assertThat(BoundedWaits.get(calls.<String>call("search", forever, NEVER, token -> null)))
        .isInstanceOf(CallOutcome.Refused.class);
    assertThat(
            BoundedWaits.get(calls.<String>call("search", forever.negated(), NEVER, token -> null)))
        .isInstanceOf(CallOutcome.Refused.class);
  }

  @Test
  void isStoppedWhenTheBreakersEnd() {
    var begun = new CountDownLatch(1);
    var call =
        calls.<String>call(
            "search",
            LONG,
            NEVER,
            token -> {
              begun.countDown();
              return new CompletableFuture<>();
            });
    await(begun);

    actors.stop(breakers);

    assertThat(BoundedWaits.get(call))
        .isInstanceOfSatisfying(
            CallOutcome.Stopped.class,
            stopped -> assertThat(stopped.why().cause()).isEqualTo(Cancellation.Cause.SHUTDOWN));
    assertThat(call(token -> null)).isEqualTo(new CallOutcome.Refused<>("the engine has ended"));
  }

  @Test
  void isRefusedWhenTheBreakersEndBeforeTheyAnswer() {
    var registry = actors.probe(Breakers.Command.class);
    var call =
        new GuardedCalls(ActorQuestions.on(actors.system()), registry.ref(), ending.token())
            .<String>call("search", LONG, NEVER, token -> null);
    registry.expectMessageClass(Breakers.Acquire.class);

    ending.cancel(WHY);

    assertThat(BoundedWaits.get(call)).isEqualTo(new CallOutcome.Refused<>("not needed"));
  }

  @Test
  void isRefusedWhenTheBreakersDoNotAnswer() {
    var breaker = actors.probe(Breaker.Command.class);
    var registry = actors.probe(Breakers.Command.class);
    var call =
        new GuardedCalls(ActorQuestions.on(actors.system()), registry.ref(), ending.token())
            .<String>call("search", LONG, NEVER, token -> null);
    var asked = registry.expectMessageClass(Breakers.Acquire.class);

    assertThat(BoundedWaits.get(call))
        .isEqualTo(new CallOutcome.Refused<>("the breakers do not answer"));
    asked.replyTo().tell(new Breaker.Permit("search", 1, 1, false, breaker.ref()));

    breaker.expectMessageClass(Breaker.Released.class);
  }

  @Test
  void isRefusedAtOnceWhenTheBreakersAreGone() {
    var gone = actors.probe(Breakers.Command.class);
    gone.stop();

    var outcome =
        BoundedWaits.get(
            new GuardedCalls(ActorQuestions.on(actors.system()), gone.ref(), NEVER)
                .<String>call("search", LONG, NEVER, token -> null));

    assertThat(outcome).isEqualTo(new CallOutcome.Refused<>("the breakers do not answer"));
  }

  @Test
  void runsOnAVirtualThreadOfItsOwn() {
    var outcome =
        call(token -> CompletableFuture.completedStage(Thread.currentThread().isVirtual()));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            CallOutcome.Returned.class, back -> assertThat(back.value()).isEqualTo(true));
  }

  @Test
  void runsOnAPlatformThreadWhileAllCarriersCompute() {
    try (var busy = BusyThreads.ofVirtualThreads()) {
      assertThat(busy).isNotNull();
      var outcome =
          call(token -> CompletableFuture.completedStage(Thread.currentThread().isVirtual()));

      assertThat(outcome)
          .isInstanceOfSatisfying(
              CallOutcome.Returned.class, back -> assertThat(back.value()).isEqualTo(false));
    }
  }

  /// The permit arrives after the waiting time for a virtual thread.
  @Test
  void runsOnAPlatformThreadAlsoIfItsPermitIsLate() {
    var registry = actors.probe(Breakers.Command.class);
    var breaker = actors.probe(Breaker.Command.class);
    try (var busy = BusyThreads.ofVirtualThreads()) {
      assertThat(busy).isNotNull();
      var call =
          new GuardedCalls(ActorQuestions.on(actors.system()), registry.ref(), ending.token())
              .call("search", LONG, NEVER, token -> CompletableFuture.completedStage("found"));
      var asked = registry.expectMessageClass(Breakers.Acquire.class);
      var permit = new Breaker.Permit("search", 1, 1, true, breaker.ref());
      actors
          .system()
          .scheduler()
          .scheduleOnce(
              Duration.ofMillis(700),
              () -> asked.replyTo().tell(permit),
              actors.system().executionContext());

      breaker.expectMessageClass(Breaker.Succeeded.class).replyTo().tell(Breaker.Heard.COUNTED);
      assertThat(BoundedWaits.get(call)).isInstanceOf(CallOutcome.Returned.class);
    }
  }

  @Test
  void handsOverWhatItsBodyHasThrown() {
    var thrown = new CompletableFuture<Throwable>();
    var broken = new IOException("no route");

    var outcome =
        BoundedWaits.get(
            calls.<String>call(
                "search",
                LONG,
                NEVER,
                token -> CompletableFuture.failedStage(new CompletionException(broken)),
                thrown::complete));

    assertThat(outcome).isInstanceOf(CallOutcome.Threw.class);
    assertThat(BoundedWaits.get(thrown)).isSameAs(broken);
  }

  @Test
  void knowsItsBreakers() {
    assertThat(calls.breakers()).isSameAs(breakers);
  }

  /// For every outcome of concurrent calls, each permit is returned and counted once.
  @Test
  void leavesNothingBehind() {
    var stop = new CancellationSource();
    var made = new ArrayList<CompletableFuture<?>>();
    steer(Breaker.Order.DISABLE);
    for (int i = 0; i < 2_000; i++) {
      int number = i;
      made.add(
          calls
              .<String>call(
                  "search",
                  number % 5 == 0 ? SHORT : LONG,
                  number % 5 == 1 ? stop.token() : NEVER,
                  token ->
                      switch (number % 5) {
                        case 0, 1 -> new CompletableFuture<>();
                        case 2 -> throw new IOException("no route");
                        case 3 -> CompletableFuture.supplyAsync(() -> "later");
                        default -> CompletableFuture.completedStage("now");
                      })
              .toCompletableFuture());
    }

    stop.cancel(WHY);
    made.forEach(BoundedWaits::get);

    var info = info();
    assertThat(info.out()).isZero();
    var counts = info.counts();
    assertThat(counts.successes()).isEqualTo(800);
    assertThat(counts.failures()).isEqualTo(800);
    assertThat(counts.released()).isEqualTo(counts.calls() - 1_600);
  }
}
