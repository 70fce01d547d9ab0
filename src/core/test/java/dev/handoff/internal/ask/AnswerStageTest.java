package dev.handoff.internal.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BusyThreads;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The stage of an answer")
class AnswerStageTest {

  private final AnswerStage<String> stage = new AnswerStage<>();

  @Test
  void callsBackOnThreadsOfItsOwn() {
    var name = stage.thenApply(answer -> Thread.currentThread().getName());
    var next = name.thenApply(before -> Thread.currentThread().getName());

    stage.complete("answer");

    assertThat(BoundedWaits.get(name)).startsWith("handoff-callback-");
    assertThat(BoundedWaits.get(next)).startsWith("handoff-callback-");
  }

  @Test
  void callsBackOnThreadsOfItsOwnIfItIsCompleteAlready() {
    stage.complete("answer");

    var name = stage.thenApply(answer -> Thread.currentThread().getName());

    assertThat(BoundedWaits.get(name)).startsWith("handoff-callback-");
  }

  @Test
  void callsBackWhileAnotherCallbackBlocks() {
    var release = new CountDownLatch(1);
    var blocked = stage.thenAccept(answer -> await(release));
    var other = stage.thenApply(answer -> answer + "!");

    stage.complete("answer");

    assertThat(BoundedWaits.get(other)).isEqualTo("answer!");
    release.countDown();
    BoundedWaits.get(blocked);
  }

  @Test
  void failsWithWhatItsSourceFailsWith() {
    var failure = new IllegalStateException("no");

    var same = AnswerStage.of(CompletableFuture.failedStage(failure));

    assertThat(BoundedWaits.get(same.exceptionally(Throwable::toString)))
        .isEqualTo(failure.toString());
  }

  @Test
  void isCompleteWhileNoCallbackCanRun() {
    var source = new EngineStage<String>();
    var answer = AnswerStage.of(source.thenApply(before -> before + "!"));
    var shared = AnswerStage.shared(answer);

    try (var all = BusyThreads.ofAllCallbacks()) {
      assertThat(all).isNotNull();
      source.complete("answer");

      assertThat(BoundedWaits.get(answer)).isEqualTo("answer!");
      assertThat(BoundedWaits.get(shared)).isEqualTo("answer!");
    }
  }

  @Test
  void callsBackOnThreadsOfItsOwnWhatCannotBeCompleted() {
    stage.complete("answer");

    var name = stage.minimalCompletionStage().thenApply(answer -> Thread.currentThread().getName());

    assertThat(BoundedWaits.get(name)).startsWith("handoff-callback-");
  }

  @Test
  void letsTheEngineGoOnOnOtherThreads() {
    var name =
        EngineStage.of(stage)
            .thenApply(answer -> answer)
            .thenApply(answer -> Thread.currentThread().getName());

    stage.complete("answer");

    assertThat(BoundedWaits.get(name)).startsWith("handoff-answer-");
  }

  static Stream<Function<CompletableFuture<String>, CompletableFuture<?>>> combined() {
    return Stream.of(
        answer -> CompletableFuture.allOf(answer),
        answer -> CompletableFuture.anyOf(answer),
        answer -> CompletableFuture.completedFuture("x").thenCompose(x -> answer),
        answer -> new CompletableFuture<String>().applyToEither(answer, any -> any),
        answer -> CompletableFuture.completedFuture("x").thenCombine(answer, (x, y) -> y));
  }

  /// The JDK attaches stages of its own to an answer, and these run their callbacks at once.
  @ParameterizedTest
  @MethodSource("combined")
  void keepsWhatTheJdkCombinesFromTheThreadThatAnswers(
      Function<CompletableFuture<String>, CompletableFuture<?>> combine) {
    var shared = AnswerStage.shared(stage);
    var own = combine.apply(stage.toCompletableFuture());
    var ofShared = combine.apply(shared.toCompletableFuture());
    var names =
        Stream.of(own, ofShared)
            .map(one -> one.thenApply(any -> Thread.currentThread().getName()))
            .toList();

    Thread.ofPlatform().name("an actor's").start(() -> stage.complete("answer"));

    for (var name : names) {
      assertThat(BoundedWaits.get(name)).startsWith("handoff-");
    }
  }

  @Test
  void isJoinedWithoutAnyThread() {
    var future = stage.toCompletableFuture();

    try (var all = BusyThreads.ofAllCallbacks()) {
      assertThat(all).isNotNull();
      stage.complete("answer");

      assertThat(future).isDone();
      assertThat(future.join()).isEqualTo("answer");
      assertThat(future.getNow("none")).isEqualTo("answer");
      assertThat(future.state()).isEqualTo(Future.State.SUCCESS);
    }
  }

  @Test
  void isCancelledByWhoHasItAsAFuture() {
    var future = stage.toCompletableFuture();

    assertThat(future.cancel(true)).isTrue();

    assertThat(stage).isCancelled();
    assertThat(future).isCancelled();
  }

  @Test
  void endsInTimeForWhoHasItAsAFuture() {
    var late = stage.toCompletableFuture().orTimeout(1, TimeUnit.MILLISECONDS);

    boolean timedOut = BoundedWaits.get(late.handle((value, e) -> e instanceof TimeoutException));
    assertThat(timedOut).isTrue();
    assertThat(stage).isCompletedExceptionally();
  }

  /// Finds methods that a later JDK adds.
  @Test
  void hasEveryMethodThatCallsBack() {
    var own = Arrays.stream(PooledStage.class.getDeclaredMethods()).map(Method::getName).toList();
    var expected =
        Arrays.stream(CompletionStage.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> CompletionStage.class.isAssignableFrom(method.getReturnType()))
            .map(Method::getName)
            .filter(name -> !name.endsWith("Async") && !name.equals("toCompletableFuture"));

    assertThat(own).containsAll(expected.toList());
  }

  private static void await(CountDownLatch release) {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
