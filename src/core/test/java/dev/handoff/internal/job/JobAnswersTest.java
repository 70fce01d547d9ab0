package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.CHILD;
import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.NOW;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.WORKER;
import static dev.handoff.internal.job.JobSituations.cancel;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.internal.ledger.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a job answers")
class JobAnswersTest extends JobInboxes {

  @Test
  void isAnAnswerInTheWordsOfACaller() {
    var job = JobSituations.running();
    var requester = new Requester.Caller(clock, caller());
    requester.decided(CommandVerdict.DONE, job);
    requester.decided(CommandVerdict.ALREADY_FINISHED, job);
    requester.decided(CommandVerdict.DECLINED, job);
    requester.decided(
        CommandVerdict.STEP_OF_A_PLAN,
        JobSituations.submitted(JobSituations.spec(3).stepOf("p", "s")));
    requester.refused(job, "no");
    requester.unavailable(job, "away", SOON);
    requester.unknown(job, "lost", SOON);

    assertThat(caller.getAllReceived())
        .containsExactly(
            new JobReply.Done(job),
            new JobReply.AlreadyFinished(job),
            new JobReply.Declined(job, "not possible while the job is running"),
            new JobReply.Declined(
                JobSituations.submitted(JobSituations.spec(3).stepOf("p", "s")),
                "it is a step of plan p: retry the plan"),
            new JobReply.Refused(ID, "no"),
            new JobReply.Unavailable(ID, "away", SOON),
            new JobReply.Unavailable(ID, "lost", SOON));
  }

  @Test
  void isAnAnswerInTheWordsOfAnAttempt() {
    var job = JobSituations.runningAgain();
    var requester = new Requester.Worker(1, caller());
    requester.decided(CommandVerdict.DONE, job);
    requester.decided(CommandVerdict.FENCED, job);
    requester.refused(job, "no");
    requester.unavailable(job, "away", SOON);

    assertThat(caller.getAllReceived())
        .containsExactly(
            new ReportReply.Recorded(ID, 1),
            new ReportReply.Fenced(ID, 1, 2),
            new ReportReply.NotRecorded(ID, 1, "no"),
            new ReportReply.Unavailable(ID, "away", SOON));
  }

  @Test
  void isAnAnswerInTheWordsOfAParent() {
    var newChild = NewChild.of(JobHarness.child(), ID, NOW);
    var job = JobSituations.parent();
    var first = new Requester.Parent(newChild, null, caller());
    first.decided(CommandVerdict.DONE, job);
    first.decided(CommandVerdict.TOO_MANY_CHILDREN, job);
    first.refused(job, "no");
    first.unavailable(job, "away", SOON);
    var again = new Requester.Parent(newChild, CHILD.id(), caller());
    again.decided(CommandVerdict.DONE, job);
    again.decided(CommandVerdict.KEY_CONFLICT, job);

    assertThat(caller.getAllReceived())
        .containsExactly(
            new ChildReply.Accepted(ID, newChild.id(), false),
            new ChildReply.Declined(ID, CommandVerdict.TOO_MANY_CHILDREN, List.of()),
            new ChildReply.Refused(ID, "no"),
            new ChildReply.Unavailable(ID, "away", SOON),
            new ChildReply.Accepted(ID, CHILD.id(), true),
            new ChildReply.Declined(ID, CommandVerdict.KEY_CONFLICT, List.of(CHILD.id())));
    assertThat(newChild.id().partition()).isEqualTo(ID.partition());
    assertThat(newChild.child().key()).isEqualTo("left");
    assertThat(newChild.fact(StoredSamples.codec()).entity()).isEqualTo(newChild.id().value());
  }

  private PendingAppend pending(JobCommand command, JobState before) {
    var decision = JobSituations.decide(before, command);
    return new PendingAppend(command, decision, new Requester.Caller(clock, caller()));
  }

  @Test
  void isOfFactsThatAreBeingWritten() {
    var report = report(1, new AttemptReport.Returned(RESULT));
    var plain = pending(report, JobSituations.running());
    assertThat(plain.facts()).isEqualTo(plain.decision().facts()).hasSize(1);
    assertThat(plain.verdict()).isEqualTo(CommandVerdict.DONE);
    assertThat(plain.after(JobSituations.running())).isEqualTo(JobSituations.succeeded());
    assertThat(plain.credit()).isNull();
    assertThat(plain.newChild()).isNull();
    assertThat(plain.storable("no")).isPresent();
    assertThat(pending(cancel(), JobSituations.running()).storable("no")).isEmpty();

    var offer = new Requester.Offer(credit, environment, self);
    var release = pending(new JobCommand.Release(), JobSituations.waiting());
    var claim = JobSituations.decide(JobSituations.queued(), JobSituations.claim());
    var both = release.with(claim, offer);
    assertThat(both.facts()).hasSize(2);
    assertThat(both.verdict()).isEqualTo(CommandVerdict.DONE);
    assertThat(both.credit()).isEqualTo(credit);
    assertThat(new PendingAppend(null, claim, offer).credit()).isEqualTo(credit);
    var newChild = NewChild.of(JobHarness.child(), ID, NOW);
    var parent = new Requester.Parent(newChild, null, caller());
    assertThat(new PendingAppend(null, claim, parent).newChild()).isEqualTo(newChild);
    assertThat(credit.claimant()).isEqualTo(WORKER);
  }

  private Ledger.Append append(JobState before, HistoryRules history, JobFact... facts) {
    return JobAppend.of(before, List.of(facts), null, environment(history), reply -> {});
  }

  private static JobFact succeeded() {
    return new JobFact.Succeeded(1, RESULT, AttemptNotes.NONE, NOW, null);
  }

  @Test
  void isWhatItsLedgerHasToWrite() {
    var keyed = new JobSpec("t", Json.NULL, "q", 0, "k", null, JobOptions.DEFAULT, null);
    var drops = new HistoryRules(new HistoryRules.Rule(true, true), Map.of());
    var started = new JobFact.Started(1, NOW);

    var live = append(JobSituations.claimed(), HistoryRules.KEEP_ALL, started);
    assertThat(live.facts()).hasSize(1);
    assertThat(live.ended()).isEmpty();
    assertThat(live.reopened()).isEmpty();
    var over = append(JobSituations.running(), HistoryRules.KEEP_ALL, succeeded());
    assertThat(over.ended()).hasSize(1);
    assertThat(over.keptKeys()).isEmpty();
    var dropped = append(JobSituations.running(), drops, succeeded());
    assertThat(dropped.ended()).isEmpty();
    assertThat(dropped.keptKeys()).isEmpty();
    var kept = append(JobSituations.submitted(keyed), drops, succeeded());
    assertThat(kept.ended()).isEmpty();
    assertThat(kept.keptKeys()).hasSize(1);
    var cancelled =
        append(
            JobSituations.queued(),
            drops,
            new JobFact.Cancelled(REQUEST, false, false, List.of(), AttemptNotes.NONE, NOW));
    assertThat(cancelled.ended()).hasSize(1);
    var again =
        append(
            JobSituations.failed(),
            HistoryRules.KEEP_ALL,
            new JobFact.Reopened(JobSituations.failed(), "me", NOW));
    assertThat(again.reopened()).containsExactly(ID.value());
    var newChild = NewChild.of(JobHarness.child(), ID, NOW);
    var born =
        JobAppend.of(
            JobSituations.running(),
            List.of(new JobFact.ChildAdded(newChild.child())),
            newChild,
            environment,
            reply -> {});
    assertThat(born.facts()).hasSize(2);
    assertThat(born.entity()).isEqualTo(ID.value());
    var failed =
        new JobFact.AttemptEnd(
            1, EndCause.FAILED, JobSituations.ERROR, false, false, AttemptNotes.NONE, NOW);
    assertThat(
            append(JobSituations.running(), HistoryRules.KEEP_ALL, new JobFact.Failed(failed))
                .ended())
        .hasSize(1);
  }

  private List<JobEnvelope> forwarded() {
    return partition.getAllReceived().stream()
        .map(notice -> ((PartitionNotice.Forward) notice).message())
        .toList();
  }

  @Test
  void isThatItsChildrenHaveToStop() {
    var cancellation =
        new ChildCancellation(environment, caller(), caller(), JobSituations.parent(), REQUEST);
    var order =
        new JobEnvelope(
            CHILD.id(), new Job.Do(new JobCommand.Cancel("no", "parent " + ID), caller()));
    var child = JobState.create(CHILD.id(), new JobFact.Submitted(JobHarness.child(), NOW, false));
    assertThat(cancellation.isSettled()).isFalse();
    cancellation.tell();
    assertThat(forwarded()).containsExactly(order);
    cancellation.answered(new JobReply.Declined(child, "later"));
    assertThat(cancellation.unanswered()).containsExactly(CHILD.id());

    cancellation.answered(new JobReply.Done(child));
    assertThat(forwarded()).containsExactly(new JobEnvelope(CHILD.id(), new Job.Watch(caller())));
    cancellation.answered(new JobReply.Done(child));
    assertThat(forwarded()).isEmpty();
    assertThat(cancellation.isSettled()).isFalse();
    assertThat(cancellation.unanswered()).containsExactly(CHILD.id());
    cancellation.tell();
    assertThat(forwarded()).containsExactly(order);
    cancellation.ended(new WatchReply.Unavailable(CHILD.id(), "away", SOON));
    assertThat(cancellation.isSettled()).isFalse();
    cancellation.ended(new WatchReply.Ended(child.apply(succeeded())));

    assertThat(cancellation.isSettled()).isTrue();
    assertThat(cancellation.unanswered()).isEmpty();
  }

  @Test
  void isThatItsChildrenAreWaitedForNoLonger() {
    var child = JobState.create(CHILD.id(), new JobFact.Submitted(JobHarness.child(), NOW, false));
    for (var reply :
        List.of(
            new JobReply.AlreadyFinished(child),
            new JobReply.NotFound(CHILD.id()),
            new JobReply.Done(child.apply(succeeded())))) {
      var cancellation =
          new ChildCancellation(environment, caller(), caller(), JobSituations.parent(), REQUEST);
      cancellation.answered(reply);
      assertThat(cancellation.isSettled()).as(reply.toString()).isTrue();
    }
    var overdue =
        new ChildCancellation(environment, caller(), caller(), JobSituations.parent(), REQUEST);
    overdue.giveUp();
    assertThat(overdue.isSettled()).isTrue();
    assertThat(overdue.unanswered()).containsExactly(CHILD.id());
  }

  @Test
  void isNoAnswerToWhatExpectsNoneAndARefusalToAllElse() {
    var reasons = List.of(JobRefusal.unavailable(ID, "away", SOON), JobRefusal.notFound(ID));
    for (var refusal : reasons) {
      refusal.tell(new Job.UpdateAttempt(JobSituations.started(4), caller()));
      refusal.tell(new Job.Do(cancel(), caller()));
      refusal.tell(new Job.AddChild(1, JobHarness.child(), caller()));
      refusal.tell(new Job.Get(caller()));
      refusal.tell(new Job.Watch(caller()));
      refusal.tell(new Job.Claim(credit));
      refusal.tell(new Job.SameKey(JobSituations.spec(), submitter.getRef()));
      assertThat(caller.getAllReceived())
          .containsExactly(
              refusal.toWorker(4),
              refusal.toCaller(),
              refusal.toParent(),
              refusal.toQuery(),
              refusal.toWatcher());
      assertThat(submitter.getAllReceived()).containsExactly(refusal.toSubmitter());
    }
    assertThat(JobRefusal.notFound(ID).toWorker(4)).isEqualTo(new ReportReply.Fenced(ID, 4, 0));
    assertThat(JobRefusal.unavailable(ID, "away", SOON).toWorker(4))
        .isEqualTo(new ReportReply.Unavailable(ID, "away", SOON));
  }

  @Test
  void isToldAtOnceAfterItHasEnded() {
    var ended = JobSituations.failed();
    var random = JobSituations.chance();
    for (var message :
        List.of(
            new Job.Do(cancel(), caller()),
            new Job.UpdateAttempt(JobSituations.started(1), caller()),
            new Job.AddChild(1, JobHarness.child(), caller()),
            new Job.Get(caller()),
            new Job.Watch(caller()))) {
      EndedJobAnswers.answer(message, ended, NOW, random);
      EndedJobAnswers.notFound(message, ID);
      EndedJobAnswers.unavailable(message, ID, "away", SOON);
      assertThat(caller.getAllReceived()).as(message.toString()).hasSize(3);
    }
    EndedJobAnswers.answer(new Job.SameKey(ended.spec(), submitter.getRef()), ended, NOW, random);
    assertThat(submitter.getAllReceived()).containsExactly(new SubmitReply.Existing(ID));
  }

  @Test
  void goesToWatchersOnceAndInTime() {
    var watchers = new JobWatchers<WatchReply>();
    var second = TestInbox.<WatchReply>create();
    var over = new WatchReply.NotFound(ID);
    watchers.add(caller(), NOW);
    watchers.add(second.getRef(), NOW.plus(JobWatchers.PATIENCE).minusNanos(1));
    watchers.tell(over);
    watchers.tell(over);
    assertThat(caller.getAllReceived()).containsExactly(over);
    assertThat(second.getAllReceived()).containsExactly(over);

    watchers.add(caller(), NOW);
    watchers.add(second.getRef(), NOW.plus(JobWatchers.PATIENCE));
    watchers.tell(over);
    assertThat(caller.hasMessages()).isFalse();
    assertThat(second.getAllReceived()).containsExactly(over);
    watchers.add(caller(), NOW);
    watchers.add(second.getRef(), NOW.minusNanos(1));
    watchers.tell(over);
    assertThat(caller.hasMessages()).isFalse();
  }

  @Test
  void hasTheTimeInWholeMilliseconds() {
    clock.move(Duration.ofNanos(1_999_999));

    assertThat(environment.now()).isEqualTo(NOW.plusMillis(1));
  }
}
