package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.engine.Engine;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Soon;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A question to an engine")
class CallsTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private final Calls calls = new Calls(actors.system().scheduler());

  @Test
  void failsWhenThereIsNoAnswerInTime() {
    var deaf = actors.probe(Engine.Command.class).ref();

    var answer = calls.ask(deaf, Engine.GetHealth::new, Duration.ofMillis(10));

    assertThatThrownBy(() -> Soon.get(answer))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("no answer within 0 s");
  }

  @Test
  void failsAsSoonAsTheEngineEnds() {
    var deaf = actors.probe(Engine.Command.class).ref();
    var before = calls.ask(deaf, Engine.GetHealth::new);

    calls.end("the engine is closed");
    calls.end("for another reason");
    var after = calls.ask(deaf, Engine.GetHealth::new);

    assertThatThrownBy(() -> Soon.get(before)).hasMessage("the engine is closed");
    assertThatThrownBy(() -> Soon.get(after)).hasMessage("the engine is closed");
    assertThat(calls.over()).isEqualTo("the engine is closed");
  }

  @Test
  void failsWhenItsActorSystemHasEnded() {
    var system = ActorSystem.create(Behaviors.<Engine.Command>ignore(), "short-lived");
    var orphaned = new Calls(system.scheduler());
    system.terminate();
    Soon.get(system.getWhenTerminated());

    var answer = orphaned.ask(system, Engine.GetHealth::new);

    assertThatThrownBy(() -> Soon.get(answer)).isInstanceOf(UnavailableException.class);
  }
}
