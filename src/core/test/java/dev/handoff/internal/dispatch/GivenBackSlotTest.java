package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.ready.FairOrder;
import dev.handoff.internal.dispatch.ready.ReadyJobs;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobNotice.Ready;
import dev.handoff.testing.TestActors;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Jobs of a queue whose slots were given back")
class GivenBackSlotTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final Instant NOW = Instant.EPOCH;
  private static final long ERA = 1;

  private final QueueGate gate = new QueueGate("narrow", nobody -> {});
  private final ReadyJobs jobs = new ReadyJobs(queue -> 1, queue -> gate);
  private final FairOrder order = jobs.order(Set.of("t"));

  @Test
  void areNotTakenBeforeThereIsAnother() {
    gate.setRule(new QueueRule(false, 1));
    gate.begin(ERA, 0);
    gate.grant(ERA, 1);
    var ref = actors.probe(Job.Command.class).ref();
    var job = new Ready(new JobId("01M7QNNH6SF2FMJADQBJ5V6500"), "t", "narrow", 0, NOW, ref);
    jobs.add(job, NOW);

    var given = gate.news(0, 0);

    assertThat(given.returned()).isEqualTo(1);
    assertThat(jobs.take(order)).isNull();

    gate.grant(ERA, 2);
    jobs.refresh("narrow");
    assertThat(jobs.take(order)).isEqualTo(job);
    assertThat(jobs.take(order)).isNull();
  }
}
