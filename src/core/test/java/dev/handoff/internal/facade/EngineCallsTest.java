package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.engine.Engine;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.OtherThread;
import dev.handoff.testing.TestActors;
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
class EngineCallsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final String GONE = "its actor system has ended";

  private final EngineCalls calls = new EngineCalls(ActorQuestions.on(actors.system()));

  @Test
  void failsWhenThereIsNoAnswerInTime() {
    var deaf = actors.probe(Engine.Command.class).ref();

    var answer = calls.ask(deaf, Engine.GetHealth::new, Duration.ofMillis(10));

    assertThatThrownBy(() -> BoundedWaits.get(answer))
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

    assertThatThrownBy(() -> BoundedWaits.get(before)).hasMessage("the engine is closed");
    assertThatThrownBy(() -> BoundedWaits.get(after)).hasMessage("the engine is closed");
    assertThat(calls.over()).isEqualTo("the engine is closed");
  }

  /// Actors stop with unread messages in their mailboxes.
  @Test
  void failsHoweverManyThereAreWhenItsActorSystemEnds() {
    var system = ActorSystem.create(Behaviors.<Engine.Command>ignore(), "short-lived");
    var orphaned = new EngineCalls(ActorQuestions.on(system));
    var begun = new CompletableFuture<Void>();
    var asking = OtherThread.call(() -> askUntilTheEnd(orphaned, system, begun));

    BoundedWaits.get(begun);
    system.terminate();

    assertThat(BoundedWaits.get(asking))
        .isNotEmpty()
        .allSatisfy(answer -> assertThatThrownBy(() -> BoundedWaits.get(answer)).hasMessage(GONE));
  }

  private static List<CompletionStage<Engine.HealthReport>> askUntilTheEnd(
      EngineCalls calls, ActorSystem<Engine.Command> system, CompletableFuture<Void> begun) {
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
    var orphaned = new EngineCalls(ActorQuestions.on(system));
    var before = orphaned.ask(system, Engine.GetHealth::new);

    system.terminate();
    BoundedWaits.get(system.getWhenTerminated());
    var after = orphaned.ask(system, Engine.GetHealth::new);

    assertThatThrownBy(() -> BoundedWaits.get(before)).hasMessage(GONE);
    assertThatThrownBy(() -> BoundedWaits.get(after)).hasMessage(GONE);
  }
}
