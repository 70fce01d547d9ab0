package dev.handoff.internal.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.JobId;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.StateReply;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BusyThreads;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A question")
class ActorQuestionsTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final JobId JOB = new JobId("01K9Z3N0W60000000000000000");
  private static final StateReply ANSWER = new StateReply.NotFound(JOB);

  private final ActorQuestions questions = ActorQuestions.on(actors.system());
  private final TestProbe<Job.Command> asked = actors.probe(Job.Command.class);

  private CompletionStage<StateReply> ask(Duration patience) {
    return questions.ask(asked.ref(), Job.Get::new, patience, IllegalStateException::new);
  }

  /// Reply address as deserialized from a message.
  private ActorRef<StateReply> replyTo() {
    return asked.expectMessageClass(Job.Get.class).replyTo();
  }

  @Test
  void isAnsweredByItsFirstReply() {
    var answer = ask(Duration.ofSeconds(1));

    var replyTo = replyTo();
    replyTo.tell(ANSWER);
    replyTo.tell(new StateReply.Unavailable(JOB, "too late", Duration.ZERO));

    assertThat(BoundedWaits.get(answer)).isEqualTo(ANSWER);
  }

  @Test
  void isAnsweredWhileTheCommonPoolIsBusy() {
    var busy = BusyThreads.ofTheCommonPool();
    var answer = ask(Duration.ofSeconds(1)).thenApply(reply -> reply);

    replyTo().tell(ANSWER);

    assertThat(BoundedWaits.get(answer)).isEqualTo(ANSWER);
    busy.close();
  }

  @Test
  void failsWhenItsTimeIsOver() {
    var answer = ask(Duration.ofSeconds(2)).toCompletableFuture();
    replyTo();

    passed(Duration.ofMillis(1_900));
    assertThat(answer).isNotDone();
    passed(Duration.ofSeconds(1));

    assertThatThrownBy(() -> BoundedWaits.get(answer)).hasMessage("no answer within 2s");
  }

  @Test
  void isRepeatedAfterAPause() {
    var pause = questions.pause(Duration.ofMillis(100)).toCompletableFuture();

    actors.pass(Duration.ofMillis(90));
    assertThat(pause).isNotDone();
    actors.pass(Duration.ofMillis(20));

    assertThat(BoundedWaits.get(pause)).isEqualTo(ActorQuestions.PauseEnd.NOW);
  }

  @Test
  void isNotRepeatedLaterThanTheEndOfTheEngine() {
    var before = questions.pause(Duration.ofHours(1));

    questions.end("the engine is down");
    var after = questions.pause(Duration.ofHours(1));

    assertThat(BoundedWaits.get(before)).isEqualTo(ActorQuestions.PauseEnd.NOW);
    assertThat(BoundedWaits.get(after)).isEqualTo(ActorQuestions.PauseEnd.NOW);
  }

  @Test
  void isRepeatedAtOnceAfterTheEndOfItsActorSystem() {
    var other = ActorTestKit.create();
    var late = ActorQuestions.on(other.system());
    var before = late.pause(Duration.ofHours(1));

    other.shutdownTestKit();

    assertThat(BoundedWaits.get(before)).isEqualTo(ActorQuestions.PauseEnd.NOW);
    assertThat(BoundedWaits.get(late.pause(Duration.ofHours(1))))
        .isEqualTo(ActorQuestions.PauseEnd.NOW);
  }

  @Test
  void isFoundByItsPathOnlyUntilItIsAnswered() {
    var answer = ask(Duration.ofSeconds(1));
    var path = ActorRefResolver.get(actors.system()).toSerializationFormat(replyTo());
    var provider = ((ExtendedActorSystem) Adapter.toClassic(actors.system())).provider();

    assertThat(provider.resolveActorRef(path)).isInstanceOf(ReplySink.class);
    ActorRefResolver.get(actors.system()).<StateReply>resolveActorRef(path).tell(ANSWER);

    assertThat(BoundedWaits.get(answer)).isEqualTo(ANSWER);
    assertThat(provider.resolveActorRef(path)).isNotInstanceOf(ReplySink.class);
  }

  @Test
  void failsWithTheEngineAndSoDoesEachLaterOne() {
    var before = ask(Duration.ofHours(1));

    questions.end("the engine is down");
    replyTo();
    var after = ask(Duration.ofHours(1));

    asked.expectNoMessage();
    assertThatThrownBy(() -> BoundedWaits.get(before)).hasMessage("the engine is down");
    assertThatThrownBy(() -> BoundedWaits.get(after)).hasMessage("the engine is down");
  }

  @Test
  void failsWithTheEngineAlthoughThereIsNoMemoryToSaySoAtFirst() {
    var tries = new AtomicInteger();
    var failing = ask(reason -> failAtFirst(tries, reason));
    var behind = ask(Duration.ofHours(1));

    questions.end("the engine is down");

    assertThatThrownBy(() -> BoundedWaits.get(behind)).hasMessage("the engine is down");
    assertThatThrownBy(() -> BoundedWaits.get(failing)).hasMessage("the engine is down");
  }

  @Test
  void failsWithTheEngineAlthoughTheFailureOfAnotherOneCannotBeMade() {
    var broken =
        ask(
            reason -> {
              throw new LinkageError(reason);
            });
    var behind = ask(Duration.ofHours(1));

    questions.end("the engine is down");

    assertThatThrownBy(() -> BoundedWaits.get(behind)).hasMessage("the engine is down");
    assertThatThrownBy(() -> BoundedWaits.get(broken)).hasRootCauseInstanceOf(LinkageError.class);
  }

  private CompletionStage<StateReply> ask(Function<String, RuntimeException> failure) {
    return questions.ask(asked.ref(), Job.Get::new, Duration.ofHours(1), failure);
  }

  private static RuntimeException failAtFirst(AtomicInteger tries, String reason) {
    if (tries.getAndIncrement() < 3) {
      throw new OutOfMemoryError("at first");
    }
    return new IllegalStateException(reason);
  }

  @Test
  void fromAStreamEndsWithTheEngine() {
    var running = questions.whileRunning(never()).runWith(Sink.seq(), actors.system());

    questions.end("the engine is down");

    assertThat(BoundedWaits.get(running)).isEmpty();
    BoundedWaits.get(questions.streamsOver());
  }

  @Test
  void fromAStreamThatBeginsAfterTheEngineHasEndedCompletesAtOnce() {
    var made = new CompletableFuture<ActorQuestions>();
    var engine =
        actors.spawn(
            Behaviors.<String>setup(
                context -> {
                  made.complete(ActorQuestions.in(context));
                  return Behaviors.empty();
                }));
    var source = BoundedWaits.get(made).whileRunning(never());
    actors.stop(engine);

    assertThat(BoundedWaits.get(source.runWith(Sink.seq(), actors.system()))).isEmpty();
  }

  private static Source<String, NotUsed> never() {
    return Source.<String>maybe().mapMaterializedValue(ignored -> NotUsed.getInstance());
  }

  /// Lets time pass after the counting actor has received the question.
  private void passed(Duration time) {
    BoundedWaits.get(questions.streamsOver());
    actors.pass(time);
    BoundedWaits.get(questions.streamsOver());
  }
}
