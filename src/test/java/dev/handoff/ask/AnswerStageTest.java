package dev.handoff.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BusyThreads;
import dev.handoff.testing.Soon;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The stage of an answer")
class AnswerStageTest {

  private final AnswerStage<String> stage = new AnswerStage<>();

  @Test
  void callsBackOnThreadsOfItsOwn() {
    var name = stage.thenApply(answer -> Thread.currentThread().getName());
    var next = name.thenApply(before -> Thread.currentThread().getName());

    stage.complete("answer");

    assertThat(Soon.get(name)).startsWith("handoff-callback-");
    assertThat(Soon.get(next)).startsWith("handoff-callback-");
  }

  @Test
  void callsBackOnThreadsOfItsOwnIfItIsCompleteAlready() {
    stage.complete("answer");

    var name = stage.thenApply(answer -> Thread.currentThread().getName());

    assertThat(Soon.get(name)).startsWith("handoff-callback-");
  }

  @Test
  void callsBackWhileAnotherCallbackBlocks() {
    var release = new CountDownLatch(1);
    var blocked = stage.thenAccept(answer -> await(release));
    var other = stage.thenApply(answer -> answer + "!");

    stage.complete("answer");

    assertThat(Soon.get(other)).isEqualTo("answer!");
    release.countDown();
    Soon.get(blocked);
  }

  @Test
  void failsWithWhatItsSourceFailsWith() {
    var failure = new IllegalStateException("no");

    var same = AnswerStage.of(CompletableFuture.failedStage(failure));

    assertThat(Soon.get(same.exceptionally(Throwable::toString))).isEqualTo(failure.toString());
  }

  @Test
  void isCompleteWhileNoCallbackCanRun() {
    var source = new EngineStage<String>();
    var answer = AnswerStage.of(source.thenApply(before -> before + "!"));
    var shared = AnswerStage.shared(answer);

    try (var all = BusyThreads.ofAllCallbacks()) {
      assertThat(all).isNotNull();
      source.complete("answer");

      assertThat(Soon.get(answer)).isEqualTo("answer!");
      assertThat(Soon.get(shared)).isEqualTo("answer!");
    }
  }

  @Test
  void callsBackOnThreadsOfItsOwnWhatCannotBeCompleted() {
    stage.complete("answer");

    var name = stage.minimalCompletionStage().thenApply(answer -> Thread.currentThread().getName());

    assertThat(Soon.get(name)).startsWith("handoff-callback-");
  }

  @Test
  void letsTheEngineGoOnOnOtherThreads() {
    var name =
        EngineStage.of(stage)
            .thenApply(answer -> answer)
            .thenApply(answer -> Thread.currentThread().getName());

    stage.complete("answer");

    assertThat(Soon.get(name)).startsWith("handoff-answer-");
  }

  /// A method that a later JDK adds is found here.
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
