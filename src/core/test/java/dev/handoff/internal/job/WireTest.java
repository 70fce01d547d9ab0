package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.WireChecks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A message that may go to another node")
class WireTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final ActorRef<WireMessage> replies = actors.probe(WireMessage.class).ref();
  private final ActorRef<SubmitReply> submissions = actors.probe(SubmitReply.class).ref();
  private final ActorRef<Job.Command> job = actors.probe(Job.Command.class).ref();
  private final TestProbe<WorkerOrder> worker = actors.probe(WorkerOrder.class);
  private final WorkerCredit credit =
      new WorkerCredit(new PoolId("pool"), 41, "worker-1", worker.ref());

  @Test
  void arrivesAsItWasSent() {
    assertThat(messages()).hasSizeGreaterThan(80);
    WireChecks.assertArrive(actors, messages());
  }

  @Test
  void isWrittenByJackson() {
    WireChecks.assertWrittenByJackson(actors, messages());
  }

  @Test
  void isTriedInEveryKind() {
    var tried = messages().stream().<Class<?>>map(Object::getClass).collect(Collectors.toSet());

    assertThat(tried)
        .containsAll(
            WireChecks.kinds(
                Job.Command.class,
                JobReply.class,
                ReportReply.class,
                ChildReply.class,
                StateReply.class,
                WatchReply.class,
                SubmitReply.class,
                WorkerOrder.class))
        .contains(JobEnvelope.class, WorkerCredit.class);
  }

  @Test
  void hasANameWhereItStandsInAnother() {
    var named =
        Arrays.stream(Job.Command.class.getAnnotation(JsonSubTypes.class).value())
            .<Class<?>>map(JsonSubTypes.Type::value)
            .toList();

    assertThat(named).containsExactlyInAnyOrderElementsOf(WireChecks.kinds(Job.Command.class));
  }

  /// Both messages have the same fields.
  @Test
  void carriesNoCommandOfAnotherConversation() {
    var serialization = SerializationExtension.get(actors.system());
    var ofCaller = JobSituations.message(JobSituations.cancel(), replies);
    var ofWorker = JobSituations.message(JobSituations.started(1), replies);

    var fromCaller = serialization.serialize(ofCaller).get();
    var fromWorker = serialization.serialize(ofWorker).get();
    assertThat(serialization.deserialize(fromCaller, Job.Do.class).get()).isEqualTo(ofCaller);
    assertThat(serialization.deserialize(fromWorker, Job.Do.class).isFailure()).isTrue();
    assertThat(serialization.deserialize(fromCaller, Job.UpdateAttempt.class).isFailure()).isTrue();
  }

  private List<Object> messages() {
    var messages = new ArrayList<Object>(List.of(credit));
    JobSituations.situations()
        .values()
        .forEach(
            state -> {
              messages.add(new JobReply.Done(state));
              messages.add(new JobReply.AlreadyFinished(state));
              messages.add(new JobReply.Declined(state, "not possible"));
              messages.add(new StateReply.Found(state));
              messages.add(new WatchReply.Ended(state));
            });
    messages.add(new JobReply.Done(StoredSamples.full()));
    JobSituations.commands(JobSituations.running()).values().stream()
        .filter(command -> !(command instanceof JobCommand.Internal))
        .forEach(command -> messages.add(JobSituations.message(command, replies)));
    messages.add(new Job.Claim(credit));
    messages.add(new Job.RunAgain(41));
    messages.add(new Job.Restore(credit));
    messages.add(new Job.AddChild(1, JobSituations.spec(), replies.narrow()));
    messages.add(new Job.SameKey(StoredSamples.full().spec(), submissions));
    messages.add(new Job.Get(replies.narrow()));
    messages.add(new Job.Watch(replies.narrow()));
    messages.add(new ReportReply.Recorded(JobSituations.ID, 1));
    messages.add(new ReportReply.Fenced(JobSituations.ID, 1, 2));
    messages.add(new ReportReply.NotRecorded(JobSituations.ID, 1, "too large"));
    messages.add(new JobReply.NotFound(JobSituations.ID));
    messages.add(new StateReply.NotFound(JobSituations.ID));
    messages.add(new WatchReply.NotFound(JobSituations.ID));
    messages.add(new ChildReply.Accepted(JobSituations.ID, JobSituations.id(8), true));
    messages.add(
        new ChildReply.Declined(
            JobSituations.ID, CommandVerdict.KEY_CONFLICT, List.of(JobSituations.id(8))));
    var soon = Duration.ofMillis(1_500);
    messages.add(new JobReply.Unavailable(JobSituations.ID, "away", soon));
    messages.add(new ReportReply.Unavailable(JobSituations.ID, "away", soon));
    messages.add(new ChildReply.Unavailable(JobSituations.ID, "away", soon));
    messages.add(new StateReply.Unavailable(JobSituations.ID, "away", soon));
    messages.add(new WatchReply.Unavailable(JobSituations.ID, "away", soon));
    messages.add(new JobReply.Refused(JobSituations.ID, "too large"));
    messages.add(new ChildReply.Refused(JobSituations.ID, "too large"));
    messages.add(new SubmitReply.Accepted(JobSituations.ID));
    messages.add(new SubmitReply.Existing(JobSituations.ID));
    messages.add(new SubmitReply.KeyConflict(JobSituations.ID, "a key"));
    messages.add(new SubmitReply.Refused("too large"));
    messages.add(new SubmitReply.Unavailable("away", Duration.ofSeconds(2)));
    messages.add(new SubmitReply.Unknown("failed", Duration.ofSeconds(2)));
    messages.add(
        new WorkerOrder.Run(41, JobSituations.ID, 1, JobSituations.spec(3), Json.of("[1]"), job));
    messages.add(new WorkerOrder.Run(41, JobSituations.ID, 1, JobSituations.spec(), null, job));
    for (var cause : Cancellation.Cause.values()) {
      var why = new Cancellation(cause, "not needed", "operator");
      messages.add(new WorkerOrder.Stop(41, JobSituations.ID, 1, why, Duration.ofMillis(20), job));
    }
    List.copyOf(messages).stream()
        .filter(Job.Command.class::isInstance)
        .forEach(message -> messages.add(new JobEnvelope(JobSituations.ID, (Job.Command) message)));
    return messages;
  }
}
