package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.handoff.Handoff;
import dev.handoff.Health;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.UnavailableException;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.ask.ActorQuestions;
import dev.handoff.internal.breaker.Breakers;
import dev.handoff.internal.breaker.GuardedCalls;
import dev.handoff.internal.dispatch.QueueNames;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.EngineSettings;
import dev.handoff.internal.engine.EventBuffer;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.engine.Partition;
import dev.handoff.internal.facade.EngineCalls;
import dev.handoff.internal.facade.EventStreams;
import dev.handoff.internal.facade.HandlerRegistration;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.JobSubmissions;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.plan.Blobs;
import dev.handoff.internal.spi.AssembleContext;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Uses a fake engine with answers that a real engine gives only after serious failures.
@DisplayName("The facade")
class FacadeAnswersTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final JobId JOB = new JobId("01K9Z3N0W6000000000000000A");
  private static final Duration LATER = Duration.ofMillis(1_500);

  private final TestProbe<Engine.Command> engine = actors.probe(Engine.Command.class);
  private final TestProbe<Gateway.Command> gateway = actors.probe(Gateway.Command.class);
  private final TestProbe<Partition.Command> partition = actors.probe(Partition.Command.class);
  private final Handoff handoff = facade();

  private Handoff facade() {
    var doors =
        new Engine.Ready(
            gateway.ref(),
            List.of(partition.ref()),
            actors.probe(Queues.Command.class).ref(),
            actors.probe(EventBuffer.Command.class).ref(),
            new GuardedCalls(
                ActorQuestions.on(actors.system()),
                actors.probe(Breakers.Command.class).ref(),
                new CancellationSource().token()),
            Optional.of(actors.probe(AssembleContext.class).ref()),
            actors.probe(Blobs.Command.class).ref(),
            ActorQuestions.on(actors.system()),
            List.of());
    var settings =
        EngineSettings.from(ConfigFactory.defaultReference().resolve().getConfig("handoff"));
    return new EngineHandoff(
        new JobCalls(
            new RunningEngine(
                actors.system(),
                false,
                engine.ref(),
                doors,
                new StoreAround(null),
                new JobSubmissions(
                    Map.of("t", new HandlerRegistration<>(Json.class, (same, job) -> same)),
                    QueueNames.ANY,
                    InstantSource.system(),
                    JsonFormat.standard()),
                settings,
                new EngineCalls(doors.questions()),
                new EventStreams(doors.questions()))),
        EngineEnd.on(actors.system()));
  }

  private ActorRef<JobReply> asked() {
    var message = gateway.expectMessageClass(Gateway.Route.class).message();
    assertThat(message.job()).isEqualTo(JOB);
    return ((Job.Do) message.command()).replyTo();
  }

  @Test
  void tellsThatTheStoreCannotKeepAJob() {
    var submission = handoff.submit(JobRequest.of("t"));

    partition
        .expectMessageClass(Partition.Submit.class)
        .replyTo()
        .tell(new SubmitReply.Refused("too large"));

    assertThat(BoundedWaits.get(submission)).isEqualTo(new Submission.Refused("too large"));
  }

  @Test
  void tellsThatAJobCannotBeOpenedAgainNow() {
    var refused = handoff.retry(JOB, "me");
    asked().tell(new JobReply.Refused(JOB, "too large"));
    var away = handoff.retry(JOB, "me");
    asked().tell(new JobReply.Unavailable(JOB, "away", LATER));

    assertThat(reason(BoundedWaits.get(refused))).isEqualTo("too large");
    assertThat(BoundedWaits.get(away)).isEqualTo(new RetryAnswer.Unavailable("away", LATER));
  }

  private static String reason(RetryAnswer answer) {
    return ((RetryAnswer.Unavailable) answer).reason();
  }

  @Test
  void tellsThatACancelIsNotPossibleNow() {
    var cancelling = handoff.cancel(JOB, "a mistake");

    asked().tell(new JobReply.Unavailable(JOB, "away", LATER));

    assertThatThrownBy(() -> BoundedWaits.get(cancelling.requested()))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("away; try again in 1.5s");
    assertThatThrownBy(() -> BoundedWaits.get(cancelling.ended()))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void tellsThatJobsCannotBeListedNow() {
    var page = handoff.jobs(JobFilter.ALL, Optional.empty(), 10);

    partition
        .expectMessageClass(Partition.ListLive.class)
        .replyTo()
        .tell(new Partition.NotListed(0, "it is being read back", LATER));

    assertThatThrownBy(() -> BoundedWaits.get(page))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("it is being read back");
  }

  @Test
  void tellsHowAnEngineIsWhoseWorkersDoNotAnswer() {
    var health = handoff.health();

    engine
        .expectMessageClass(Engine.GetHealth.class)
        .replyTo()
        .tell(new Engine.HealthReport(true, List.of("slow"), List.of(), null, null));

    assertThat(BoundedWaits.get(health)).isEqualTo(new Health(true, List.of("slow"), 0, 0, 0));
  }
}
