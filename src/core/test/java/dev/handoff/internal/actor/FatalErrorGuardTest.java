package dev.handoff.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.testing.BoundedWaits;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An Error of an actor")
class FatalErrorGuardTest {

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private ActorSystem<String> system;

  private enum When {
    SET_UP,
    TOLD
  }

  @AfterEach
  void stop() {
    system.terminate();
  }

  /// Starts a parent that records the failures of its only child.
  private void start(Behavior<String> child) {
    var settings =
        """
        pekko.jvm-exit-on-fatal-error = off
        pekko.stdout-loglevel = OFF
        pekko.coordinated-shutdown.exit-jvm = off
        """;
    Behavior<String> parent =
        Behaviors.setup(
            context -> {
              var spawned = context.spawn(child, "child");
              context.watch(spawned);
              return Behaviors.receive(String.class)
                  .onMessage(
                      String.class,
                      message -> {
                        spawned.tell(message);
                        return Behaviors.same();
                      })
                  .onSignal(ChildFailed.class, this::onFailed)
                  .build();
            });
    system =
        ActorSystem.create(
            parent,
            "guard",
            ConfigFactory.parseString(settings).withFallback(ConfigFactory.load()));
  }

  private Behavior<String> onFailed(ChildFailed child) {
    heard.add(FatalErrorGuard.cause(child).toString());
    return Behaviors.same();
  }

  private static Behavior<String> throwing(When when) {
    return Behaviors.setup(
        context -> {
          throwIf(when == When.SET_UP);
          return Behaviors.receive(
              (same, message) -> {
                throwIf(when == When.TOLD);
                return Behaviors.same();
              });
        });
  }

  private static void throwIf(boolean now) {
    if (now) {
      throw new StackOverflowError("deep");
    }
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void isAFailureOfItThatItsParentHearsOf(When when) {
    start(FatalErrorGuard.of(throwing(when)));

    system.tell("throw");

    assertThat(BoundedWaits.take(heard)).isEqualTo("java.lang.StackOverflowError: deep");
    assertThat(system.getWhenTerminated().toCompletableFuture()).isNotDone();
  }

  /// Counter-test: without the guard, the error ends the actor system.
  @ParameterizedTest
  @EnumSource(When.class)
  void endsTheActorSystemWithoutTheGuard(When when) {
    start(throwing(when));

    system.tell("throw");

    BoundedWaits.until("the system ends", this::isEnding);
    assertThat(heard).isEmpty();
  }

  private boolean isEnding() {
    return CoordinatedShutdown.get(system).getShutdownReason().isPresent();
  }

  @Test
  void isNotNeededToHearOfTheEnd() {
    start(
        FatalErrorGuard.of(
            Behaviors.receive(
                (context, message) -> Behaviors.stopped(), (context, signal) -> told(signal))));

    system.tell("stop");

    assertThat(BoundedWaits.take(heard)).isEqualTo("told of its end");
  }

  private Behavior<String> told(Signal signal) {
    if (signal instanceof PostStop) {
      heard.add("told of its end");
    }
    return Behaviors.same();
  }
}
