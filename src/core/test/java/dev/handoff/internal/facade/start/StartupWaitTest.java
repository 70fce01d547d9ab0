package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.engine.Engine;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Whoever starts an engine")
class StartupWaitTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Engine.NotStarted ANSWER = new Engine.NotStarted("a test");

  private final CompletableFuture<Engine.Startup> answer = new CompletableFuture<>();
  private final AtomicInteger signs = new AtomicInteger();

  private Engine.Startup waitFor(ActorRef<Engine.Command> engine) {
    return BoundedWaits.get(
        CompletableFuture.supplyAsync(
            () -> new StartupWait(engine, answer, LOOK).run(), task -> new Thread(task).start()));
  }

  @Test
  void hearsThatItsActorsDoNotAnswerAfterThirtyLooks() {
    long began = System.nanoTime();

    var startup = waitFor(actors.probe(Engine.Command.class).ref());

    assertThat(startup)
        .isInstanceOfSatisfying(
            Engine.NotStarted.class,
            none -> assertThat(none.reason()).startsWith("its actors do not answer"));
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isGreaterThanOrEqualTo(LOOK.multipliedBy(StartupWait.SILENT_LOOKS));
    assertThat(StartupWait.SILENT_LOOKS).isEqualTo(30);
  }

  /// Each check requests one sign of life.
  @Test
  void waitsForAsLongAsThereAreSignsOfLife() {
    assertThat(waitFor(actors.spawn(slow()))).isEqualTo(ANSWER);

    assertThat(signs.get()).isGreaterThan(StartupWait.SILENT_LOOKS);
  }

  private Behavior<Engine.Command> slow() {
    return Behaviors.receiveMessage(
        message -> {
          if (message instanceof Engine.GiveSign(var sign)) {
            sign.run();
            if (signs.incrementAndGet() > 2 * StartupWait.SILENT_LOOKS) {
              answer.complete(ANSWER);
            }
          }
          return Behaviors.same();
        });
  }
}
