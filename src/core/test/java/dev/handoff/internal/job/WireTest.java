package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.WireChecks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A message that may go to another node")
class WireTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final ActorRef<JobReply> replies = actors.probe(JobReply.class).ref();
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
                Job.Command.class, JobReply.class, SubmitReply.class, WorkerOrder.class))
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

  @Test
  void carriesNoCommandThatIsAJobsOwn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Job.Do(JobSituations.claim(), replies))
        .withMessageContaining("send a Job.Claim");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Job.Do(new JobCommand.SettleChildren(List.of()), replies));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Job.Do(new JobCommand.AddChild(1, JobSituations.CHILD), replies));
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
            });
    messages.add(new JobReply.Done(StoredSamples.full()));
    JobSituations.commands(JobSituations.running()).values().stream()
        .filter(command -> !(command instanceof JobCommand.Internal))
        .forEach(command -> messages.add(new Job.Do(command, replies)));
    messages.add(new Job.Claim(credit));
    messages.add(new Job.RunAgain(41));
    messages.add(new Job.Restore(credit));
    messages.add(new Job.AddChild(1, JobSituations.spec(), replies));
    messages.add(new Job.SameKey(StoredSamples.full().spec(), submissions));
    messages.add(new Job.Get(replies));
    messages.add(new Job.Watch(replies));
    messages.add(new JobReply.Recorded(JobSituations.ID, 1));
    messages.add(new JobReply.Fenced(JobSituations.ID, 1, 2));
    messages.add(new JobReply.NotRecorded(JobSituations.ID, 1, "too large"));
    messages.add(new JobReply.NotFound(JobSituations.ID));
    messages.add(new JobReply.ChildAccepted(JobSituations.ID, JobSituations.id(8), true));
    messages.add(
        new JobReply.ChildRefused(
            JobSituations.ID, CommandVerdict.KEY_CONFLICT, List.of(JobSituations.id(8))));
    messages.add(new JobReply.Unavailable(JobSituations.ID, "away", Duration.ofMillis(1_500)));
    messages.add(new JobReply.Refused(JobSituations.ID, "too large"));
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
