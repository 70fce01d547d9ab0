package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.testing.TestActors;
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

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final List<TestProbe<Partition.Command>> partitions = new ArrayList<>();
  private ActorRef<Gateway.Command> gateway;

  @BeforeEach
  void start() {
    for (int i = 0; i < 3; i++) {
      partitions.add(actors.probe(Partition.Command.class));
    }
    var refs = partitions.stream().map(TestProbe::ref).toList();
    gateway =
        actors.spawn(Gateway.create(refs, InstantSource.fixed(JobSamples.NOW), new Random(1)));
  }

  @Test
  void givesTheJobsOfABatchRisingIdsInItsPartition() {
    var batcher = actors.probe(SubmitReplies.class);
    var spec = JobSamples.spec();

    gateway.tell(new Gateway.SubmitBatch(2, List.of(spec, spec, spec), batcher.ref()));

    var batch = partitions.get(2).expectMessageClass(Partition.SubmitBatch.class);
    assertThat(batch.jobs()).extracting(Partition.NewJob::spec).containsExactly(spec, spec, spec);
    assertThat(batch.jobs()).extracting(job -> job.id().partition()).containsOnly(2);
    assertThat(batch.jobs()).extracting(job -> job.id().value()).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void routesByTheIdItself() {
    var asker = actors.probe(StateReply.class);
    var message = new JobEnvelope(JobSamples.newId(2), new Job.Get(asker.ref()));

    gateway.tell(new Gateway.Route(message));

    assertThat(partitions.get(2).expectMessageClass(Partition.Deliver.class).message())
        .isEqualTo(message);
  }

  @Test
  void answersForAPartitionThatThereIsNot() {
    var asker = actors.probe(StateReply.class);
    var stray = JobSamples.newId(900);

    gateway.tell(new Gateway.Route(new JobEnvelope(stray, new Job.Get(asker.ref()))));

    asker.expectMessage(new StateReply.NotFound(stray));
  }
}
