package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation.Cause;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A parent that is cancelled")
class JobCascadeTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final Duration REPEAT = JobHarness.SETTINGS.repeat();

  private final JobHarness harness = new JobHarness(actors).parent();
  private final JobState before = harness.state();
  private final JobId child = before.trail().children().getFirst().id();

  private void cancel() {
    harness.order(JobSituations.cancel());
    harness.commit();
    harness.worker.expectMessageClass(WorkerOrder.Stop.class);
    harness.caller.expectMessageClass(JobReply.Done.class);
  }

  /// Awaits the message forwarded to the child.
  private Job.Command forwarded() {
    var message = harness.partition.expectMessageClass(PartitionNotice.Forward.class).message();
    assertThat(message.job()).isEqualTo(child);
    return message.command();
  }

  private ActorRef<JobReply> ordered() {
    var order = (Job.Do) forwarded();
    assertThat(order.command()).isEqualTo(new JobCommand.Cancel("not needed", "parent " + ID));
    return order.replyTo();
  }

  private void reportStopped() {
    harness.order(report(1, new AttemptReport.Stopped(Cause.REQUESTED)));
    harness.expectFacts(harness.commit(), JobFact.AttemptStopped.class);
    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
  }

  private JobState childState(JobState of) {
    return new JobState(
        child, of.spec(), of.createdAt(), of.version(), 1, 1, of.phase(), of.trail());
  }

  private JobPhase.Cancelled cancelled() {
    return (JobPhase.Cancelled) harness.state().phase();
  }

  @Test
  void tellsItsChildOnlyOnceThatIsDurable() {
    harness.order(JobSituations.cancel());
    var append = harness.append();
    harness.state();
    harness.partition.expectNoMessage(Duration.ofMillis(10));

    harness.commit(append);

    ordered();
  }

  @Test
  void refusesNewChildrenFromThenOn() {
    cancel();
    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref().narrow()));

    harness.caller.expectMessage(
        new ChildReply.Declined(ID, CommandVerdict.BEING_CANCELLED, List.of(child)));
  }

  @Test
  void waitsOnWhateverElseIsSaid() {
    cancel();
    var answer = ordered();
    var state = childState(JobSituations.running());
    List.of(
            new JobReply.Declined(state, "no"),
            new JobReply.Refused(child, "no"),
            new JobReply.Unavailable(child, "no", REPEAT))
        .forEach(answer::tell);
    reportStopped();
    harness.state();

    harness.ledger.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void staysAsItIsWhenItsEndIsRefusedAndTriesAgain() {
    cancel();
    ordered().tell(new JobReply.NotFound(child));
    reportStopped();
    harness.refuse(harness.append());
    harness.state();

    actors.pass(REPEAT);

    harness.expectFacts(harness.commit(), JobFact.Cancelled.class);
  }

  @Test
  void endsWhenItsAttemptAndItsChildHaveEnded() {
    cancel();
    var answer = ordered();
    answer.tell(new JobReply.Done(childState(JobSituations.cancelling())));
    var watch = (Job.Watch) forwarded();
    reportStopped();
    harness.state();
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    watch.replyTo().tell(new WatchReply.Unavailable(child, "busy", REPEAT));
    harness.state();
    harness.ledger.expectNoMessage(Duration.ofMillis(10));
    watch.replyTo().tell(new WatchReply.Ended(childState(JobSituations.cancelled())));

    harness.expectFacts(harness.commit(), JobFact.Cancelled.class);
    assertThat(cancelled().unanswered()).isEmpty();
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
  }

  @Test
  void endsWhenItsChildHadEndedBeforeAndItsAttemptEndsLast() {
    cancel();
    ordered().tell(new JobReply.AlreadyFinished(childState(JobSituations.succeeded())));
    harness.state();
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    reportStopped();

    harness.expectFacts(harness.commit(), JobFact.Cancelled.class);
    assertThat(cancelled().unanswered()).isEmpty();
  }

  @Test
  void doesNotWaitForAChildThatIsNotThere() {
    cancel();
    ordered().tell(new JobReply.NotFound(child));
    reportStopped();

    harness.commit();

    assertThat(cancelled().unanswered()).isEmpty();
  }

  @Test
  void doesNotWaitForAChildThatWasCancelledAtOnce() {
    cancel();
    ordered().tell(new JobReply.Done(childState(JobSituations.cancelled())));
    reportStopped();

    harness.commit();

    assertThat(cancelled().unanswered()).isEmpty();
  }

  @Test
  void tellsItsChildAndItsWorkerAgainUntilTheyAnswer() {
    cancel();
    ordered().tell(new JobReply.Unavailable(child, "busy", REPEAT));

    actors.pass(REPEAT);
    harness.worker.expectMessageClass(WorkerOrder.Stop.class);
    var again = ordered();
    actors.pass(REPEAT);
    harness.worker.expectMessageClass(WorkerOrder.Stop.class);
    ordered();
    reportStopped();
    again.tell(new JobReply.AlreadyFinished(childState(JobSituations.cancelled())));
    harness.commit();
    actors.pass(REPEAT.multipliedBy(3));

    harness.worker.expectNoMessage(Duration.ofMillis(10));
    assertThat(cancelled().unanswered()).isEmpty();
  }

  @Test
  void asksAChildAgainThatHasNotEndedForItsActorMayBeANewOne() {
    cancel();
    ordered().tell(new JobReply.Done(childState(JobSituations.cancelling())));
    forwarded();
    reportStopped();

    actors.pass(REPEAT);
    ordered().tell(new JobReply.AlreadyFinished(childState(JobSituations.cancelled())));

    harness.commit();
    assertThat(cancelled().unanswered()).isEmpty();
  }

  @Test
  void goesOnAfterItsTimeAndNamesWhoHasNotAnswered() {
    cancel();
    ordered();
    reportStopped();

    actors.pass(JobHarness.SETTINGS.abandon().plus(JobHarness.SETTINGS.report()));

    harness.expectFacts(harness.commit(), JobFact.Cancelled.class);
    assertThat(cancelled().unanswered()).containsExactly(child);
  }

  @Test
  void namesAChildThatWasToldButHasNotEnded() {
    cancel();
    ordered().tell(new JobReply.Done(childState(JobSituations.cancelling())));
    reportStopped();

    actors.pass(JobHarness.SETTINGS.abandon().plus(JobHarness.SETTINGS.report()));

    harness.commit();
    assertThat(cancelled().unanswered()).containsExactly(child);
  }

  @Test
  void waitsForItsOwnAttemptAlsoAfterThatTime() {
    cancel();
    ordered();
    actors.pass(JobHarness.SETTINGS.abandon().plus(JobHarness.SETTINGS.report()));
    harness.state();
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    reportStopped();

    harness.commit();
    assertThat(cancelled().unanswered()).containsExactly(child);
  }

  @Test
  void triesToEndAgainWhenThatCouldNotBeWritten() {
    cancel();
    ordered().tell(new JobReply.NotFound(child));
    reportStopped();
    harness.turnDown(harness.append());
    harness.state();
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    actors.pass(REPEAT);

    harness.expectFacts(harness.commit(), JobFact.Cancelled.class);
  }

  @Test
  void isWithdrawnAtOnceWhenOnlyItsChildIsLeftToStop() {
    var queued = new JobHarness(actors).live(JobSituations.queuedParent());
    queued.dispatcher.receiveMessage();

    queued.order(JobSituations.cancel());
    queued.commit();

    queued.dispatcher.expectMessage(new JobNotice.Withdrawn(ID, queued.job));
    assertThat(queued.partition.receiveMessage()).isInstanceOf(PartitionNotice.Forward.class);
  }

  @Test
  void tellsItsChildrenAgainWhenItsActorIsMadeAnew() {
    var anew =
        new JobHarness(actors)
            .live(JobSituations.after(JobSituations.parent(), JobSituations.cancel()));

    assertThat(anew.partition.receiveMessage()).isInstanceOf(PartitionNotice.Forward.class);
    assertThat(anew.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Underway.class);
  }

  @Test
  void givesAnAttemptThatSubmitsTheSameAgainTheSameChild() {
    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref().narrow()));
    harness.caller.expectMessage(new ChildReply.Accepted(ID, child, true));

    var other = JobSpec.of("resize", Json.of("2"));
    var conflicting =
        new JobSpec("x", other.payload(), "q", 0, "left", null, JobOptions.DEFAULT, null);
    harness.job.tell(new Job.AddChild(1, conflicting, harness.caller.ref().narrow()));
    harness.caller.expectMessage(
        new ChildReply.Declined(ID, CommandVerdict.KEY_CONFLICT, List.of(child)));
  }

  @Test
  void hearsNothingOfWhatIsNotAboutIt() {
    var running = new JobHarness(actors).running(JobSituations.spec());
    running.job.tell(new Job.ChildAnswered(new JobReply.NotFound(child)));
    running.job.tell(new Job.ChildEnded(new WatchReply.NotFound(child)));
    running.job.tell(Job.ReportDue.INSTANCE);
    running.job.tell(Job.StopUnanswered.INSTANCE);
    running.state();
    running.expectSilence();
  }

  @Test
  void stopsALaterAttemptWithItsOwnAge() {
    var running = new JobHarness(actors).running(JobSituations.spec());
    running.order(JobSituations.timeOut(1));
    running.commit();
    running.worker.expectMessageClass(WorkerOrder.Stop.class);
    actors.pass(REPEAT);
    running.worker.expectMessageClass(WorkerOrder.Stop.class);
    running.order(report(1, new AttemptReport.Stopped(Cause.TIMEOUT)));
    running.commit();
    actors.pass(REPEAT.multipliedBy(2));
    running.state();

    running.worker.expectNoMessage(Duration.ofMillis(10));
  }
}
