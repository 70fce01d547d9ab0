package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.NOW;

import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.testing.HandClock;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;

/// Collaborators of a job without its actor; all recipients of messages are inboxes.
abstract class JobInboxes {

  static final Duration SOON = Duration.ofSeconds(7);
  static final JobPhase.CancelRequest REQUEST = new JobPhase.CancelRequest("no", "me", NOW);

  final TestInbox<Ledger.Command> ledger = TestInbox.create();
  final TestInbox<JobNotice> dispatcher = TestInbox.create();
  final TestInbox<PartitionNotice> partition = TestInbox.create();
  final TestInbox<WorkerOrder> worker = TestInbox.create();
  final TestInbox<WireMessage> caller = TestInbox.create();
  final TestInbox<SubmitReply> submitter = TestInbox.create();
  final ActorRef<Job.Command> self = TestInbox.<Job.Command>create().getRef();
  final HandClock clock = new HandClock(NOW);
  final JobEnvironment environment = environment(HistoryRules.KEEP_ALL);
  final WorkerCredit credit =
      new WorkerCredit(new PoolId("pool-1"), 41, "worker-1", worker.getRef());

  <R extends WireMessage> ActorRef<R> caller() {
    return caller.getRef().narrow();
  }

  JobEnvironment environment(HistoryRules history) {
    return new JobEnvironment(
        ledger.getRef(),
        dispatcher.getRef()::tell,
        partition.getRef(),
        StoredSamples.codec(),
        clock,
        JobHarness.SETTINGS,
        history);
  }
}
