package dev.handoff.internal.dispatch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.dispatch.LoneDispatcher;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What is kept in the ordinary way is in [HandlerAttemptTest].
@DisplayName("The checkpoints of an attempt")
class CheckpointWriterTest {

  private static final ReportReply AWAY =
      new ReportReply.Unavailable(LoneDispatcher.id(1), "away", Duration.ZERO);

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final CancellationSource source = new CancellationSource();
  private final BlockingQueue<CompletableFuture<ReportReply>> asked = new LinkedBlockingQueue<>();

  private CompletionStage<ReportReply> ask(Json value) {
    var answer = new CompletableFuture<ReportReply>();
    asked.add(answer);
    return answer;
  }

  private CheckpointWriter writer(ActorQuestions questions) {
    return new CheckpointWriter(this::ask, questions, source.token(), () -> {});
  }

  private CheckpointWriter writer() {
    return writer(ActorQuestions.on(actors.system()));
  }

  private static CompletableFuture<ReportReply> kept(CheckpointWriter writer, String value) {
    return writer.keep(Json.of(value)).toCompletableFuture();
  }

  private static void fails(CompletableFuture<ReportReply> kept, Throwable why) {
    assertThat(kept)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isSameAs(why);
  }

  @Test
  void failWhenTheEngineHasEnded() {
    var closed = new IllegalStateException("closed");
    var questions = ActorQuestions.on(actors.system());
    var kept = kept(writer(questions), "1");
    questions.end("closed");

    BoundedWaits.take(asked).completeExceptionally(closed);

    fails(kept, closed);
  }

  /// One that has waited for a newer one cannot be kept without it.
  @Test
  void failWithTheNewerOneWhoseAnswerTheyShare() {
    var closed = new IllegalStateException("closed");
    var questions = ActorQuestions.on(actors.system());
    var writer = writer(questions);
    var older = kept(writer, "1");
    var newer = kept(writer, "2");
    BoundedWaits.take(asked).complete(AWAY);
    questions.end("closed");

    BoundedWaits.take(asked).completeExceptionally(closed);

    fails(newer, closed);
    fails(older, closed);
  }

  @Test
  void failWhenThereIsNoMemoryToAskForThem() {
    var full = new OutOfMemoryError("at first");
    var writer =
        new CheckpointWriter(
            value -> {
              throw full;
            },
            ActorQuestions.on(actors.system()),
            source.token(),
            () -> {});

    fails(kept(writer, "1"), full);
  }

  /// A system that has ended schedules nothing any more.
  @Test
  void failWhenTheyCannotBeAskedForLater() {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "ended");
    var writer = writer(ActorQuestions.on(system));
    var kept = kept(writer, "1");
    system.terminate();
    BoundedWaits.get(system.getWhenTerminated());

    BoundedWaits.take(asked).complete(AWAY);

    assertThat(kept)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void areAskedForOnceIfTheirAttemptIsCancelledAlready() {
    source.cancel(new Cancellation(Cancellation.Cause.SHUTDOWN, "closing", "handoff"));
    var kept = kept(writer(), "1");

    BoundedWaits.take(asked).complete(AWAY);

    assertThat(kept)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(CancelledException.class);
    assertThat(asked).isEmpty();
  }
}
