package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.Json;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.InstantSource;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A worker at hand")
class JobAdmissionTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final LinkedBlockingQueue<Job.StartNew> started = new LinkedBlockingQueue<>();
  private final ActorRef<Partition.Command> partition =
      actors.spawn(Behaviors.setup(this::admittingWithOneWorker));

  private Behavior<Partition.Command> admittingWithOneWorker(
      ActorContext<Partition.Command> context) {
    var settings =
        EngineSettings.from(ConfigFactory.defaultReference().resolve().getConfig("handoff"));
    var environment =
        new PartitionEnvironment("me", null, settings, InstantSource.fixed(JobSamples.NOW), null);
    var ledger = actors.probe(Ledger.Command.class).ref();
    var lookups = new HistoryLookups(context, environment, new StoreProbe(ledger));
    var jobs = new JobActors(context, Behaviors.receiveMessage(this::onStart));
    var keys = new JobKeys(1_000_000);
    var unborn = new UnwrittenJobs(keys, lookups, jobs, never -> {});
    var batches = new BatchWriter(context, environment, ledger, unborn);
    var admission = new JobAdmission(environment, lookups, jobs, never -> {}, keys, batches);
    admission.workersAtHand(1);
    return Behaviors.receiveMessage(
        message -> {
          admission.submit((Partition.Submit) message);
          return Behaviors.same();
        });
  }

  private Behavior<Job.Command> onStart(Job.Command message) {
    started.add((Job.StartNew) message);
    return Behaviors.same();
  }

  private static JobSpec dueAfter(long seconds) {
    var due = JobSamples.NOW.plusSeconds(seconds);
    return new JobSpec("t", Json.NULL, "q", 0, null, due, JobOptions.DEFAULT, null);
  }

  /// Whether a submitted job asks for the idle worker.
  private boolean asks(JobSpec spec) {
    var submitter = actors.probe(SubmitReply.class);
    partition.tell(new Partition.Submit(JobSamples.newId(0), spec, submitter.ref()));
    return BoundedWaits.take(started).atHand();
  }

  @Test
  void isAskedForOnce() {
    assertThat(asks(JobSamples.spec())).isTrue();
    assertThat(asks(JobSamples.spec())).isFalse();
  }

  @Test
  void isLeftToOthersByAJobThatIsNotDue() {
    assertThat(asks(dueAfter(1))).isFalse();

    assertThat(asks(dueAfter(0))).isTrue();
  }
}
