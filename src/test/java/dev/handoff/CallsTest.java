package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.ask.Questions;
import dev.handoff.engine.Engine;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Elsewhere;
import dev.handoff.testing.Soon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A question to an engine")
class CallsTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private static final String GONE = "its actor system has ended";

  private final Calls calls = new Calls(Questions.on(actors.system()));

  @Test
  void failsWhenThereIsNoAnswerInTime() {
    var deaf = actors.probe(Engine.Command.class).ref();

    var answer = calls.ask(deaf, Engine.GetHealth::new, Duration.ofMillis(10));

    assertThatThrownBy(() -> Soon.get(answer))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("no answer within 10ms");
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

  /// Whatever has been heard of them: actors stop with messages in their mailboxes.
  @Test
  void failsHoweverManyThereAreWhenItsActorSystemEnds() {
    var system = ActorSystem.create(Behaviors.<Engine.Command>ignore(), "short-lived");
    var orphaned = new Calls(Questions.on(system));
    var begun = new CompletableFuture<Void>();
    var asking = Elsewhere.call(() -> askUntilTheEnd(orphaned, system, begun));

    Soon.get(begun);
    system.terminate();

    assertThat(Soon.get(asking))
        .isNotEmpty()
        .allSatisfy(answer -> assertThatThrownBy(() -> Soon.get(answer)).hasMessage(GONE));
  }

  private static List<CompletionStage<Engine.HealthReport>> askUntilTheEnd(
      Calls calls, ActorSystem<Engine.Command> system, CompletableFuture<Void> begun) {
    var answers = new ArrayList<CompletionStage<Engine.HealthReport>>();
    while (calls.over() == null) {
      answers.add(calls.ask(system, Engine.GetHealth::new));
      begun.complete(null);
    }
    return answers;
  }

  @Test
  void failsWhenItsActorSystemEnds() {
    var system = ActorSystem.create(Behaviors.<Engine.Command>ignore(), "short-lived");
    var orphaned = new Calls(Questions.on(system));
    var before = orphaned.ask(system, Engine.GetHealth::new);

    system.terminate();
    Soon.get(system.getWhenTerminated());
    var after = orphaned.ask(system, Engine.GetHealth::new);

    assertThatThrownBy(() -> Soon.get(before)).hasMessage(GONE);
    assertThatThrownBy(() -> Soon.get(after)).hasMessage(GONE);
  }
}
