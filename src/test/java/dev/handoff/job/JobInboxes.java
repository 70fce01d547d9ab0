package dev.handoff.job;

import static dev.handoff.job.Samples.NOW;

import dev.handoff.ledger.Ledger;
import dev.handoff.testing.HandClock;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;

/// What a job works with, without its actor: whoever is told something is an inbox.
abstract class JobInboxes {

  static final Duration SOON = Duration.ofSeconds(7);
  static final Phase.CancelRequest REQUEST = new Phase.CancelRequest("no", "me", NOW);

  final TestInbox<Ledger.Command> ledger = TestInbox.create();
  final TestInbox<JobNotice> dispatcher = TestInbox.create();
  final TestInbox<PartitionNotice> partition = TestInbox.create();
  final TestInbox<WorkerOrder> worker = TestInbox.create();
  final TestInbox<JobReply> caller = TestInbox.create();
  final TestInbox<SubmitReply> submitter = TestInbox.create();
  final ActorRef<Job.Command> self = TestInbox.<Job.Command>create().getRef();
  final HandClock clock = new HandClock(NOW);
  final JobEnvironment environment = environment(HistoryRules.KEEP_ALL);
  final Credit credit = new Credit(new PoolId("pool-1"), 41, "worker-1", worker.getRef());

  JobEnvironment environment(HistoryRules history) {
    return new JobEnvironment(
        ledger.getRef(),
        dispatcher.getRef(),
        partition.getRef(),
        StoredSamples.codec(),
        clock,
        JobHarness.SETTINGS,
        history);
  }
}
