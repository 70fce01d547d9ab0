package dev.handoff.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobReply;
import dev.handoff.job.SubmitReply;
import dev.handoff.testing.Actors;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A gateway")
class GatewayTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private final List<TestProbe<Partition.Command>> partitions = new ArrayList<>();
  private ActorRef<Gateway.Command> gateway;
  private TestProbe<SubmitReply> submitter;

  @BeforeEach
  void start() {
    for (int i = 0; i < 3; i++) {
      partitions.add(actors.probe(Partition.Command.class));
    }
    var refs = partitions.stream().map(TestProbe::ref).toList();
    gateway =
        actors.spawn(Gateway.create(refs, InstantSource.fixed(JobSamples.NOW), new Random(1)));
    submitter = actors.probe(SubmitReply.class);
  }

  private Partition.Submit nextIn(int partition) {
    return partitions.get(partition).expectMessageClass(Partition.Submit.class);
  }

  @Test
  void sharesJobsWithoutAKeyEvenly() {
    for (int i = 0; i < 6; i++) {
      gateway.tell(new Gateway.Submit(JobSamples.spec(), submitter.ref()));
    }

    for (int partition = 0; partition < 3; partition++) {
      assertThat(nextIn(partition).id().partition()).isEqualTo(partition);
      assertThat(nextIn(partition).spec()).isEqualTo(JobSamples.spec());
    }
  }

  @Test
  void bringsEqualKeysTogether() {
    var met = new ArrayList<Partition.Submit>();
    for (int payload = 0; payload < 4; payload++) {
      gateway.tell(new Gateway.Submit(JobSamples.withKey("a key", payload), submitter.ref()));
    }

    int home = Math.floorMod("a key".hashCode(), 3);
    for (int i = 0; i < 4; i++) {
      met.add(nextIn(home));
    }
    assertThat(met).extracting(submit -> submit.id().partition()).containsOnly(home);
    assertThat(met).extracting(submit -> submit.id().value()).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void routesByTheIdItself() {
    var asker = actors.probe(JobReply.class);
    var message = new ForJob(JobSamples.newId(2), new Job.Get(asker.ref()));

    gateway.tell(new Gateway.Route(message));

    assertThat(partitions.get(2).expectMessageClass(Partition.Deliver.class).message())
        .isEqualTo(message);
  }

  @Test
  void answersForAPartitionThatThereIsNot() {
    var asker = actors.probe(JobReply.class);
    var stray = JobSamples.newId(900);

    gateway.tell(new Gateway.Route(new ForJob(stray, new Job.Get(asker.ref()))));

    asker.expectMessage(new JobReply.NotFound(stray));
  }
}
