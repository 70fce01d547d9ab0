package dev.handoff.job;

import static dev.handoff.job.Samples.CHILD;
import static dev.handoff.job.Samples.ID;
import static dev.handoff.job.Samples.NOW;
import static dev.handoff.job.Samples.RESULT;
import static dev.handoff.job.Samples.WORKER;
import static dev.handoff.job.Samples.cancel;
import static dev.handoff.job.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.ledger.Ledger;
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
    var job = Samples.running();
    var asker = Asker.of(cancel(), caller.getRef(), clock);
    asker.decided(Verdict.DONE, job);
    asker.decided(Verdict.ALREADY_FINISHED, job);
    asker.decided(Verdict.DECLINED, job);
    asker.decided(Verdict.STEP_OF_A_PLAN, Samples.submitted(Samples.spec(3).stepOf("p", "s")));
    asker.refused(job, "no");
    asker.unavailable(job, "away", SOON);
    asker.unknown(job, "lost", SOON);

    assertThat(caller.getAllReceived())
        .containsExactly(
            new JobReply.Done(job),
            new JobReply.AlreadyFinished(job),
            new JobReply.Declined(job, "not possible while the job is running"),
            new JobReply.Declined(
                Samples.submitted(Samples.spec(3).stepOf("p", "s")),
                "it is a step of plan p: retry the plan"),
            new JobReply.Refused(ID, "no"),
            new JobReply.Unavailable(ID, "away", SOON),
            new JobReply.Unavailable(ID, "lost", SOON));
  }

  @Test
  void isAnAnswerInTheWordsOfAnAttempt() {
    var job = Samples.runningAgain();
    var asker = Asker.of(Samples.started(1), caller.getRef(), clock);
    asker.decided(Verdict.DONE, job);
    asker.decided(Verdict.FENCED, job);
    asker.refused(job, "no");
    asker.unavailable(job, "away", SOON);

    assertThat(caller.getAllReceived())
        .containsExactly(
            new JobReply.Recorded(ID, 1),
            new JobReply.Fenced(ID, 1, 2),
            new JobReply.NotRecorded(ID, 1, "no"),
            new JobReply.Unavailable(ID, "away", SOON));
    Asker.of(new JobCommand.SettleChildren(List.of()), caller.getRef(), clock)
        .decided(Verdict.DONE, job);
    assertThat(caller.hasMessages()).isFalse();
    for (var command :
        List.of(
            new JobCommand.Release(), new JobCommand.Retry("me"), new JobCommand.GiveUp(null))) {
      Asker.of(command, caller.getRef(), clock).decided(Verdict.DONE, job);
    }
    assertThat(caller.getAllReceived()).hasSize(3).containsOnly(new JobReply.Done(job));
  }

  @Test
  void isAnAnswerInTheWordsOfAParent() {
    var birth = Birth.of(JobHarness.child(), ID, NOW);
    var job = Samples.parent();
    var first = new Asker.Parent(birth, null, caller.getRef());
    first.decided(Verdict.DONE, job);
    first.decided(Verdict.TOO_MANY_CHILDREN, job);
    first.refused(job, "no");
    first.unavailable(job, "away", SOON);
    var again = new Asker.Parent(birth, CHILD.id(), caller.getRef());
    again.decided(Verdict.DONE, job);
    again.decided(Verdict.KEY_CONFLICT, job);

    assertThat(caller.getAllReceived())
        .containsExactly(
            new JobReply.ChildAccepted(ID, birth.id(), false),
            new JobReply.ChildRefused(ID, Verdict.TOO_MANY_CHILDREN, List.of()),
            new JobReply.Refused(ID, "no"),
            new JobReply.Unavailable(ID, "away", SOON),
            new JobReply.ChildAccepted(ID, CHILD.id(), true),
            new JobReply.ChildRefused(ID, Verdict.KEY_CONFLICT, List.of(CHILD.id())));
    assertThat(birth.id().partition()).isEqualTo(ID.partition());
    assertThat(birth.child().key()).isEqualTo("left");
    assertThat(birth.fact(StoredSamples.codec()).entity()).isEqualTo(birth.id().value());
  }

  private Pending pending(JobCommand command, JobState before) {
    var decision = Samples.decide(before, command);
    return new Pending(command, decision, Asker.of(command, caller.getRef(), clock));
  }

  @Test
  void isOfFactsThatAreBeingWritten() {
    var report = report(1, new AttemptReport.Returned(RESULT));
    var plain = pending(report, Samples.running());
    assertThat(plain.facts()).isEqualTo(plain.decision().facts()).hasSize(1);
    assertThat(plain.verdict()).isEqualTo(Verdict.DONE);
    assertThat(plain.after(Samples.running())).isEqualTo(Samples.succeeded());
    assertThat(plain.credit()).isNull();
    assertThat(plain.birth()).isNull();
    assertThat(plain.storable("no")).isPresent();
    assertThat(pending(cancel(), Samples.running()).storable("no")).isEmpty();

    var offer = new Asker.Offer(credit, environment, self);
    var release = pending(new JobCommand.Release(), Samples.waiting());
    var claim = Samples.decide(Samples.queued(), Samples.claim());
    var both = release.with(claim, offer);
    assertThat(both.facts()).hasSize(2);
    assertThat(both.verdict()).isEqualTo(Verdict.DONE);
    assertThat(both.credit()).isEqualTo(credit);
    assertThat(new Pending(null, claim, offer).credit()).isEqualTo(credit);
    var birth = Birth.of(JobHarness.child(), ID, NOW);
    var parent = new Asker.Parent(birth, null, caller.getRef());
    assertThat(new Pending(null, claim, parent).birth()).isEqualTo(birth);
    assertThat(credit.claimant()).isEqualTo(WORKER);
  }

  private Ledger.Append append(JobState before, HistoryRules history, JobFact... facts) {
    return Appends.of(before, List.of(facts), null, environment(history), reply -> {});
  }

  private static JobFact succeeded() {
    return new JobFact.Succeeded(1, RESULT, Notes.NONE, NOW, null);
  }

  @Test
  void isWhatItsLedgerHasToWrite() {
    var keyed = new JobSpec("t", Json.NULL, "q", 0, "k", null, JobOptions.DEFAULT, null);
    var drops = new HistoryRules(new HistoryRules.Rule(true, true), Map.of());
    var started = new JobFact.Started(1, NOW);

    var live = append(Samples.claimed(), HistoryRules.KEEP_ALL, started);
    assertThat(live.facts()).hasSize(1);
    assertThat(live.ended()).isEmpty();
    assertThat(live.reopened()).isEmpty();
    var over = append(Samples.running(), HistoryRules.KEEP_ALL, succeeded());
    assertThat(over.ended()).hasSize(1);
    assertThat(over.keptKeys()).isEmpty();
    var dropped = append(Samples.running(), drops, succeeded());
    assertThat(dropped.ended()).isEmpty();
    assertThat(dropped.keptKeys()).isEmpty();
    var kept = append(Samples.submitted(keyed), drops, succeeded());
    assertThat(kept.ended()).isEmpty();
    assertThat(kept.keptKeys()).hasSize(1);
    var cancelled =
        append(
            Samples.queued(),
            drops,
            new JobFact.Cancelled(REQUEST, false, false, List.of(), Notes.NONE, NOW));
    assertThat(cancelled.ended()).hasSize(1);
    var again =
        append(
            Samples.failed(),
            HistoryRules.KEEP_ALL,
            new JobFact.Reopened(Samples.failed(), "me", NOW));
    assertThat(again.reopened()).containsExactly(ID.value());
    var birth = Birth.of(JobHarness.child(), ID, NOW);
    var born =
        Appends.of(
            Samples.running(),
            List.of(new JobFact.ChildAdded(birth.child())),
            birth,
            environment,
            reply -> {});
    assertThat(born.facts()).hasSize(2);
    assertThat(born.entity()).isEqualTo(ID.value());
    var failed =
        new JobFact.AttemptEnd(1, EndCause.FAILED, Samples.ERROR, false, false, Notes.NONE, NOW);
    assertThat(append(Samples.running(), HistoryRules.KEEP_ALL, new JobFact.Failed(failed)).ended())
        .hasSize(1);
  }

  private List<ForJob> forwarded() {
    return partition.getAllReceived().stream()
        .map(notice -> ((PartitionNotice.Forward) notice).message())
        .toList();
  }

  @Test
  void isThatItsChildrenHaveToStop() {
    var cascade = new Cascade(environment, caller.getRef(), Samples.parent(), REQUEST);
    var order =
        new ForJob(
            CHILD.id(), new Job.Do(new JobCommand.Cancel("no", "parent " + ID), caller.getRef()));
    var child = JobState.create(CHILD.id(), new JobFact.Submitted(JobHarness.child(), NOW, false));
    assertThat(cascade.isSettled()).isFalse();
    cascade.tell();
    assertThat(forwarded()).containsExactly(order);
    cascade.answered(new JobReply.Declined(child, "later"));
    assertThat(cascade.unanswered()).containsExactly(CHILD.id());

    cascade.answered(new JobReply.Done(child));
    assertThat(forwarded()).containsExactly(new ForJob(CHILD.id(), new Job.Watch(caller.getRef())));
    cascade.answered(new JobReply.Done(child));
    assertThat(forwarded()).isEmpty();
    assertThat(cascade.isSettled()).isFalse();
    assertThat(cascade.unanswered()).containsExactly(CHILD.id());
    cascade.tell();
    assertThat(forwarded()).containsExactly(order);
    cascade.answered(new JobReply.Done(child.apply(succeeded())));

    assertThat(cascade.isSettled()).isTrue();
    assertThat(cascade.unanswered()).isEmpty();
  }

  @Test
  void isThatItsChildrenAreWaitedForNoLonger() {
    var child = JobState.create(CHILD.id(), new JobFact.Submitted(JobHarness.child(), NOW, false));
    for (var reply :
        List.of(
            new JobReply.AlreadyFinished(child),
            new JobReply.NotFound(CHILD.id()),
            new JobReply.Done(child.apply(succeeded())))) {
      var cascade = new Cascade(environment, caller.getRef(), Samples.parent(), REQUEST);
      cascade.answered(reply);
      assertThat(cascade.isSettled()).as(reply.toString()).isTrue();
    }
    var overdue = new Cascade(environment, caller.getRef(), Samples.parent(), REQUEST);
    overdue.giveUp();
    assertThat(overdue.isSettled()).isTrue();
    assertThat(overdue.unanswered()).containsExactly(CHILD.id());
  }

  @Test
  void isNoAnswerToWhatExpectsNoneAndARefusalToAllElse() {
    var reasons = List.of(Refusal.unavailable(ID, "away", SOON), Refusal.notFound(ID));
    for (var refusal : reasons) {
      refusal.tell(new Job.Do(Samples.started(4), caller.getRef()));
      refusal.tell(new Job.Do(cancel(), caller.getRef()));
      refusal.tell(new Job.AddChild(1, JobHarness.child(), caller.getRef()));
      refusal.tell(new Job.Get(caller.getRef()));
      refusal.tell(new Job.Watch(caller.getRef()));
      refusal.tell(new Job.Claim(credit));
      refusal.tell(new Job.SameKey(Samples.spec(), submitter.getRef()));
      assertThat(caller.getAllReceived())
          .containsExactly(
              refusal.toAttempt(4),
              refusal.reply(),
              refusal.reply(),
              refusal.reply(),
              refusal.reply());
      assertThat(submitter.getAllReceived()).containsExactly(refusal.toSubmitter());
    }
    assertThat(Refusal.notFound(ID).toAttempt(4)).isEqualTo(new JobReply.Fenced(ID, 4, 0));
    assertThat(Refusal.unavailable(ID, "away", SOON).toAttempt(4))
        .isEqualTo(new JobReply.Unavailable(ID, "away", SOON));
  }

  @Test
  void isToldAtOnceAfterItHasEnded() {
    var ended = Samples.failed();
    var random = Samples.chance();
    for (var message :
        List.of(
            new Job.Do(cancel(), caller.getRef()),
            new Job.AddChild(1, JobHarness.child(), caller.getRef()),
            new Job.Get(caller.getRef()),
            new Job.Watch(caller.getRef()))) {
      Archived.answer(message, ended, NOW, random);
      Archived.notFound(message, ID);
      Archived.unavailable(message, ID, "away", SOON);
      assertThat(caller.getAllReceived()).as(message.toString()).hasSize(3);
    }
    Archived.answer(new Job.SameKey(ended.spec(), submitter.getRef()), ended, NOW, random);
    assertThat(submitter.getAllReceived()).containsExactly(new SubmitReply.Existing(ID));
  }

  @Test
  void goesToWatchersOnceAndInTime() {
    var watchers = new Watchers<JobReply>();
    var second = TestInbox.<JobReply>create();
    var over = new JobReply.NotFound(ID);
    watchers.add(caller.getRef(), NOW);
    watchers.add(second.getRef(), NOW.plus(Watchers.PATIENCE).minusNanos(1));
    watchers.tell(over);
    watchers.tell(over);
    assertThat(caller.getAllReceived()).containsExactly(over);
    assertThat(second.getAllReceived()).containsExactly(over);

    watchers.add(caller.getRef(), NOW);
    watchers.add(second.getRef(), NOW.plus(Watchers.PATIENCE));
    watchers.tell(over);
    assertThat(caller.hasMessages()).isFalse();
    assertThat(second.getAllReceived()).containsExactly(over);
    watchers.add(caller.getRef(), NOW);
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
