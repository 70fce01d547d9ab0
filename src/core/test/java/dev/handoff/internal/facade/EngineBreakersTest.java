package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.StoreSettings;
import dev.handoff.UnavailableException;
import dev.handoff.breaker.BreakerChange;
import dev.handoff.breaker.BreakerCommands;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.breaker.BreakerOpenException;
import dev.handoff.breaker.BreakerStatus;
import dev.handoff.breaker.CallTimedOutException;
import dev.handoff.breaker.ChangesMissedException;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancelledException;
import dev.handoff.docs.BreakerExamples;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The breakers of an engine")
class EngineBreakersTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final Handoff handoff =
      Handoff.on(actors.system())
          .store(new StoreSettings.Memory())
          .set("breakers.default.open-for", Duration.ofHours(1))
          .set("breakers.default.open-for-most", Duration.ofHours(1))
          .set("breakers.named.quick.open-for", Duration.ofMillis(1))
          .set("breakers.call-timeout", Duration.ofSeconds(20))
          .start();
  private final BreakerCommands breakers = handoff.breakers();

  @AfterEach
  void stop() {
    handoff.close();
  }

  private static <T> Throwable failure(CompletionStage<T> stage) {
    var failed = BoundedWaits.get(stage.handle((value, failure) -> failure));
    return failed instanceof CompletionException wrapper ? wrapper.getCause() : failed;
  }

  private void fail(String name) {
    failure(breakers.call(name, () -> CompletableFuture.failedStage(new IOException("no route"))));
  }

  private void open(String name) {
    for (int i = 0; i < 3; i++) {
      fail(name);
    }
  }

  private BreakerInfo get(String name) {
    return BoundedWaits.get(breakers.get(name)).orElseThrow();
  }

  @Test
  void passOnWhatACallReturns() {
    assertThat(
            BoundedWaits.get(
                breakers.call("search", () -> CompletableFuture.completedStage("found"))))
        .isEqualTo("found");
    assertThat(BoundedWaits.get(breakers.callBlocking("search", () -> "found"))).isEqualTo("found");
    assertThat(BoundedWaits.get(breakers.<String>callBlocking("search", () -> null))).isNull();
    assertThat(get("search").counts().successes()).isEqualTo(3);
  }

  @Test
  void passOnWhatACallThrows() {
    var thrown = new IOException("no route");
    var error = new StackOverflowError();

    assertThat(failure(breakers.call("search", () -> CompletableFuture.failedStage(thrown))))
        .isSameAs(thrown);
    assertThat(
            failure(
                breakers.callBlocking(
                    "search",
                    () -> {
                      throw error;
                    })))
        .isSameAs(error);
    assertThat(failure(breakers.<String>call("search", () -> null)))
        .hasMessage("the call \"search\" returned null instead of a stage");
    assertThat(get("search").lastErrors().getFirst().error().message()).isEqualTo("no route");
  }

  @Test
  void letNothingThroughOnceTheyAreOpen() {
    open("search");

    assertThat(failure(breakers.callBlocking("search", () -> "found")))
        .isInstanceOfSatisfying(
            BreakerOpenException.class,
            refused -> {
              assertThat(refused.retryAt()).isEqualTo(get("search").retryAt());
              assertThat(refused.retryAt()).isAfter(Instant.now().plusSeconds(60));
              assertThat(refused)
                  .hasMessageStartingWith("breaker \"search\": it is open; ask again");
            });
    assertThat(get("search").status()).isEqualTo(BreakerStatus.OPEN);
  }

  @Test
  void failWithExceptionsThatAreNotWrapped() {
    fail("search");

    assertThat(
            BreakerExamples.describe(
                breakers.callBlocking(
                    "search",
                    () -> {
                      throw new IOException("no route");
                    })))
        .isEqualTo("failed: no route");
    open("search");
    assertThat(BreakerExamples.describe(breakers.callBlocking("search", () -> "found")))
        .startsWith("not called; ask again at 2");
    assertThat(BreakerExamples.describe(breakers.callBlocking("mail", () -> "it")))
        .isEqualTo("found it");
  }

  @Test
  void recoverByThemselves() {
    open("quick");

    BoundedWaits.until("it is time", () -> get("quick").status() == BreakerStatus.HALF_OPEN);
    BoundedWaits.get(breakers.callBlocking("quick", () -> "found"));

    assertThat(get("quick").status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void stopACallAtItsDeadline() {
    var never = new CancellationSource().token();

    var failure =
        failure(
            breakers.<String>call(
                "search",
                Duration.ofMillis(20),
                never,
                token -> {
                  new CountDownLatch(1).await();
                  return null;
                }));

    assertThat(failure)
        .isInstanceOfSatisfying(
            CallTimedOutException.class,
            late -> assertThat(late.after()).isEqualTo(Duration.ofMillis(20)))
        .hasMessage("the call \"search\" took longer than 20ms");
  }

  @Test
  void stopACallThatNobodyWantsAnyMore() {
    var stop = new CancellationSource();
    var begun = new CountDownLatch(1);
    var call =
        breakers.<String>call(
            "search",
            Duration.ofMinutes(1),
            stop.token(),
            token -> {
              begun.countDown();
              return new CompletableFuture<>();
            });
    await(begun);

    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "a test"));

    assertThat(failure(call)).isInstanceOf(CancelledException.class).hasMessage("not needed");
    assertThat(get("search").counts().released()).isEqualTo(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void canBeSteered() {
    assertThat(BoundedWaits.get(breakers.forceOpen("search")).status())
        .isEqualTo(BreakerStatus.FORCED_OPEN);
    assertThat(failure(breakers.callBlocking("search", () -> 1)))
        .hasMessageStartingWith("breaker \"search\": it was forced open");
    assertThat(BoundedWaits.get(breakers.automatic("search")).status())
        .isEqualTo(BreakerStatus.CLOSED);
    assertThat(BoundedWaits.get(breakers.disable("search")).status())
        .isEqualTo(BreakerStatus.DISABLED);
    open("search");
    assertThat(get("search").status()).isEqualTo(BreakerStatus.DISABLED);
    assertThat(BoundedWaits.get(breakers.reset("search")).status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Test
  void areListedAndResetTogether() {
    open("search");
    open("mail");

    assertThat(BoundedWaits.get(breakers.list()))
        .extracting(BreakerInfo::name)
        .containsExactly("mail", "search");
    assertThat(BoundedWaits.get(breakers.resetAll()))
        .extracting(BreakerInfo::status)
        .containsOnly(BreakerStatus.CLOSED);
  }

  @Test
  void sayWhichThereAreWhenOneIsNot() {
    assertThat(BoundedWaits.get(breakers.get("search"))).isEmpty();
    assertThat(failure(breakers.reset("search")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("breaker \"search\" does not exist; known: none");
    fail("mail");
    assertThat(failure(breakers.automatic("search")))
        .hasMessageContaining("breaker \"search\" does not exist; known: mail");
  }

  @Test
  void refuseWhatIsNoName() {
    assertThatThrownBy(() -> breakers.callBlocking("a b", () -> 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("breaker \"a b\" is not a name");
    assertThatThrownBy(() -> breakers.reset("")).isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void refuseADeadlineThatIsNone() {
    assertThat(
            failure(
                breakers.call(
                    "search",
                    Duration.ZERO,
                    new CancellationSource().token(),
                    token -> CompletableFuture.completedStage(1))))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("the deadline of a call must be");
  }

  @Test
  void tellTheirChangesUntilTheEngineEnds() {
    var seen = new LinkedBlockingQueue<BreakerChange>();
    var over = breakers.changes().runWith(Sink.foreach(seen::add), handoff.materializer());
    awaitSubscription(seen);

    open("search");

    var change = BoundedWaits.take(seen);
    while (!change.name().equals("search")) {
      change = BoundedWaits.take(seen);
    }
    assertThat(change.to()).isEqualTo(BreakerStatus.OPEN);
    handoff.close();
    BoundedWaits.get(over);
  }

  /// Waits for the stream to start, which happens some time after its run.
  private void awaitSubscription(LinkedBlockingQueue<BreakerChange> seen) {
    BoundedWaits.until(
        "it has begun",
        () -> {
          BoundedWaits.get(breakers.disable("first"));
          BoundedWaits.get(breakers.reset("first"));
          return !seen.isEmpty();
        });
  }

  @Test
  void failAWatcherThatIsTooSlow() {
    var held = new CompletableFuture<BreakerChange>();
    var over =
        breakers
            .changes()
            .mapAsync(1, change -> held)
            .runWith(Sink.ignore(), handoff.materializer())
            .toCompletableFuture();
    BoundedWaits.until(
        "too many changes wait",
        () -> {
          BoundedWaits.get(breakers.disable("search"));
          BoundedWaits.get(breakers.reset("search"));
          return over.isDone();
        });

    assertThat(failure(over))
        .isInstanceOf(ChangesMissedException.class)
        .hasMessageContaining("more than 1024 changes");
  }

  @Test
  void refuseEveryCallWhenTheEngineIsClosed() {
    handoff.close();

    assertThat(failure(breakers.callBlocking("search", () -> 1)))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("the engine has ended");
    assertThat(failure(breakers.list())).isInstanceOf(UnavailableException.class);
  }

  @Test
  void stopTheCallsThatAreUnderWayWhenTheEngineIsClosed() {
    var begun = new CountDownLatch(1);
    var call =
        breakers.callBlocking(
            "search",
            () -> {
              begun.countDown();
              new CountDownLatch(1).await();
              return 1;
            });
    await(begun);

    handoff.close();

    assertThat(failure(call)).isInstanceOf(CancelledException.class);
  }
}
