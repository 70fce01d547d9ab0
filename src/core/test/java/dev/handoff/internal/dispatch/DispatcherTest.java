package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A dispatcher")
class DispatcherTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final DispatcherBench bench = new DispatcherBench(actors).withoutRules();

  @Test
  void offersACreditToTheJobThatIsNext() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    pool.wants(1);

    var credit = pool.gives();

    assertThat(job.offered()).isEqualTo(credit);
  }

  @Test
  void claimsNothingBeforeItKnowsTheRules() {
    var early = new DispatcherBench(actors);
    var pool = early.pool("pool", 4, "t");
    var job = early.job("t", "q").ready();
    pool.wants(0);

    early.rules(0, Map.of(), Map.of());

    pool.wants(1);
    pool.gives();
    job.offered();
  }

  @Test
  void givesBackWhatItCannotUse() {
    var pool = bench.pool("pool", 4, "t");

    var credit = pool.gives();

    assertThat(pool.getsBack()).isEqualTo(credit.number());
  }

  @Test
  void givesBackACreditThatComesTwiceUnlessItIsInUse() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var used = pool.gives();
    job.offered();
    pool.sends(used);
    job.takes(used);
    pool.sends(used);
    var unused = pool.gives();

    pool.sends(unused);

    assertThat(pool.getsBack()).isEqualTo(unused.number());
    assertThat(pool.getsBack()).isEqualTo(unused.number());
  }

  @Test
  void offersToTheNextWhatAJobDeclines() {
    var pool = bench.pool("pool", 4, "t");
    var first = bench.job("t", "q").ready();
    var second = bench.job("t", "q").ready();
    var credit = pool.gives();
    first.offered();

    first.declines(credit);

    assertThat(second.offered()).isEqualTo(credit);
    second.declines(credit);
    assertThat(pool.getsBack()).isEqualTo(credit.number());
  }

  @Test
  void takesOnlyTheLastWordOfAJob() {
    var pool = bench.pool("pool", 4, "t");
    var before = bench.job("t", "q").ready();
    var after = before.again().ready();
    pool.wants(1);
    assertThat(bench.load().queues().get("q").queued()).isEqualTo(1);

    pool.gives();

    after.offered();
    before.hearsNothing();
  }

  @Test
  void takesAnOfferBackFromAJobThatWasMadeAnew() {
    var pool = bench.pool("pool", 4, "t");
    var before = bench.job("t", "q").ready();
    var credit = pool.gives();
    before.offered();

    var after = before.again().ready();

    assertThat(pool.getsBack()).isEqualTo(credit.number());
    var next = pool.gives();
    assertThat(after.offered()).isEqualTo(next);
    before.declines(credit);
    after.takes(next);
    assertThat(bench.load().queues().get("q").running()).isEqualTo(1);
  }

  /// The job will answer the offer. If it declines, its later notice counts.
  @Test
  void keepsAnOfferOpenOfWhichTheSameActorHasNotSpoken() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.offered();
    job.ready();

    job.declines(credit);

    assertThat(pool.getsBack()).isEqualTo(credit.number());
    pool.wants(1);
    assertThat(pool.gives()).isEqualTo(job.offered());
  }

  @Test
  void knowsNothingOfAJobThatIsWithdrawnTwice() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q");
    job.isWithdrawn();
    job.ready().isWithdrawn();
    job.isWithdrawn();
    bench.beat();
    assertThat(bench.load().queues()).isEmpty();
    job.ready();

    pool.gives();

    job.offered();
  }

  @Test
  void takesBackWhatItHasOfferedToAJobThatIsWithdrawn() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.offered();

    job.isWithdrawn();

    assertThat(pool.getsBack()).isEqualTo(credit.number());
  }

  @Test
  void asksAgainWhoHasNotAnsweredForAHeartbeat() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.offered();

    bench.beat();
    job.hearsNothing();
    bench.beat();

    var again = bench.partition.expectMessageClass(PartitionNotice.Forward.class).message();
    assertThat(again).isEqualTo(new JobEnvelope(job.id, new Job.Claim(credit)));
  }

  @Test
  void givesBackWhatAnEndedJobWasOffered() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    bench.beat();
    bench.beat();
    bench.partition.expectMessageClass(PartitionNotice.Forward.class);
    var question = bench.partition.expectMessageClass(PartitionNotice.Forward.class).message();

    ((Job.Get) question.command()).replyTo().tell(new StateReply.NotFound(job.id));

    assertThat(pool.getsBack()).isEqualTo(credit.number());
  }

  @Test
  void givesBackALateCreditWhileAnotherIsOffered() {
    var pool = bench.pool("pool", 4, "t");
    var unused = pool.gives();
    assertThat(pool.getsBack()).isEqualTo(unused.number());
    var job = bench.job("t", "q").ready();
    pool.gives();
    job.offered();

    pool.sends(unused);

    assertThat(pool.getsBack()).isEqualTo(unused.number());
  }

  /// The pool counts the credit as in transit; its next heartbeat shows that it is lost.
  @Test
  void wantsAgainWhatWasLostOnItsWay() {
    var pool = bench.pool("pool", 4, "t");
    bench.job("t", "q").ready();
    var lost = pool.makes();

    pool.beats();
    bench.beat();

    assertThat(pool.getsBack()).isEqualTo(lost.number());
    assertThat(pool.wants(1).seen()).isEqualTo(lost.number());
    pool.sends(lost);
    assertThat(pool.getsBack()).isEqualTo(lost.number());
  }

  @Test
  void saysWithEachHeartbeatWhatItWants() {
    var pool = bench.pool("pool", 4, "t");
    bench.job("t", "q").ready();
    pool.wants(1);

    bench.beat();

    pool.wants(1);
  }

  @Test
  void neverWantsMoreThanThereAreWorkers() {
    var pool = bench.pool("pool", 4, "t");
    for (int i = 0; i < 9; i++) {
      bench.job("t", "q").ready();
    }

    bench.beat();

    assertThat(pool.wants(4).workers()).isEqualTo(4);
  }

  @Test
  void letsNoHeadThatCannotRunBlockTheOthers() {
    var pool = bench.pool("pool", 4, "t");
    bench.job("unknown", "q", 9).ready();
    bench.job("t", "paused", 9).ready();
    var job = bench.job("t", "q").ready();
    bench.rules(1, Map.of("paused", new QueueRule(true, null)), Map.of());
    assertThat(bench.load().unknownTypes()).containsExactly("unknown");

    pool.gives();

    job.offered();
    assertThat(pool.next(WorkerPool.Want.class)).isNotNull();
  }

  @Test
  void offersAJobNotBeforeItIsDue() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready(Duration.ofMillis(500));
    pool.wants(0);
    assertThat(bench.load().queues().get("q").scheduled()).isEqualTo(1);

    bench.clock.move(Duration.ofMillis(501));
    actors.pass(Duration.ofMillis(501));

    pool.wants(1);
    pool.gives();
    job.offered();
  }

  @Test
  void wantsNobodyWhileTheStoreIsAway() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    pool.wants(1);

    bench.tell(new Dispatcher.Hold(true));

    pool.wants(0);
    assertThat(pool.gives().number()).isEqualTo(pool.getsBack());
    bench.tell(new Dispatcher.Hold(false));
    pool.wants(1);
    pool.gives();
    job.offered();
  }

  @Test
  void wantsNobodyAnyMoreWhenTheEngineStops() {
    var pool = bench.pool("pool", 4, "t");
    bench.job("t", "q").ready();
    pool.wants(1);

    bench.tell(Dispatcher.Drain.INSTANCE);

    pool.wants(0);
    assertThat(pool.gives().number()).isEqualTo(pool.getsBack());
  }

  @Test
  void wantsNobodyOfAPoolThatLeaves() {
    var pool = bench.pool("pool", 4, "t");
    bench.job("t", "q").ready();
    pool.wants(1);

    pool.leaves();

    pool.wants(0);
    assertThat(pool.gives().number()).isEqualTo(pool.getsBack());
    assertThat(bench.load().unknownTypes()).containsExactly("t");
  }

  @Test
  void losesWhatAPoolHadThatIsGone() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    job.takes(pool.gives());

    pool.dies();

    assertThat(bench.nextLost()).isEqualTo(job.id);
    bench.beat();
    assertThat(bench.nextLost()).isEqualTo(job.id);
    job.isFreed();
    assertThat(bench.load().queues()).isEmpty();
  }

  @Test
  void losesOnlyWhatThePoolHadThatIsGone() {
    var gone = bench.pool("gone", 4, "t");
    var lost = bench.job("t", "q").ready();
    lost.takes(gone.gives());
    var there = bench.pool("there", 4, "t");
    var going = bench.job("t", "q").ready();
    going.takes(there.gives());

    gone.dies();

    assertThat(bench.nextLost()).isEqualTo(lost.id);
    bench.beat();
    assertThat(bench.nextLost()).isEqualTo(lost.id);
    bench.load();
    bench.partition.expectNoMessage(Duration.ofMillis(1));
  }

  /// The attempt ended before its `Taken` arrived, and the job has sent another `Ready` meanwhile.
  @Test
  void entersAJobAgainWhoseAttemptWasOverBeforeItWasHeardOf() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.offered();
    job.ready();
    job.takes(credit);
    pool.dies();

    answerLoss(id -> new ReportReply.Fenced(id, 1, 1));

    var load = bench.load().queues().get("q");
    assertThat(load.queued()).isEqualTo(1);
    assertThat(load.running()).isZero();
  }

  @Test
  void entersAJobAgainWhoseAttemptIsSaidToBeOverLast() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.offered();
    job.ready();
    job.takes(credit);

    job.isFreed();

    var load = bench.load().queues().get("q");
    assertThat(load.queued()).isEqualTo(1);
    assertThat(load.running()).isZero();
  }

  @Test
  void takesNoOlderAttemptForTheCurrentOne() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var older = pool.gives();
    job.offered();
    job.takes(2, pool.makes());

    job.takes(older);
    bench.tell(new JobNotice.Freed(job.id, 2, "q"));

    assertThat(bench.load().queues().get("q").running()).isZero();
  }

  @Test
  void losesWhatIsTakenOfAPoolThatIsGoneAlready() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.offered();
    pool.dies();
    bench.pool("other", 1, "other");

    job.takes(credit);

    assertThat(bench.nextLost()).isEqualTo(job.id);
  }

  @Test
  void losesWhatAPoolDoesNotListAnyMore() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.takes(credit);
    pool.beats();
    job.offered();
    assertThat(job.probe.expectMessageClass(Job.RunAgain.class).credit())
        .isEqualTo(credit.number());

    pool.closes(credit);
    pool.beats();

    assertThat(bench.nextLost()).isEqualTo(job.id);
  }

  /// The pool still lists the credit: the worker never got a run order and never will.
  @Test
  void forgetsAnAttemptWhoseEndItHasNotHeardOfOnceTheJobSaysSo() {
    var pool = bench.pool("pool", 1, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.takes(credit);

    pool.beats(5);
    var neverStarted =
        new JobFact.Returned(1, EndCause.NEVER_STARTED, AttemptNotes.NONE, bench.clock.instant());
    bench.answersForJob(job.after(job.claims(credit), neverStarted));

    assertThat(bench.load().queues().get("q").running()).isZero();
    pool.beats();
    assertThat(pool.getsBack()).isEqualTo(credit.number());
  }

  @Test
  void keepsAnAttemptThatGoesOnOrOfWhichAnOlderStateSaysNothing() {
    var pool = bench.pool("pool", 1, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.takes(credit);

    pool.beats(5);
    bench.answersForJob(job.after(job.claims(credit)));
    pool.beats(5);
    bench.answersForJob(job.after());

    assertThat(bench.load().queues().get("q").running()).isEqualTo(1);
  }

  @Test
  void forgetsALostAttemptOfWhichTheJobSaysThatItIsOver() {
    var pool = bench.pool("pool", 4, "t");
    var jobs = List.of(bench.job("t", "q"), bench.job("t", "q"));
    for (var job : jobs) {
      job.ready().takes(pool.gives());
    }
    pool.dies();
    var first = answerLoss(id -> new ReportReply.Fenced(id, 1, 2));
    var second = answerLoss(id -> new ReportReply.Fenced(id, 1, 0));

    assertThat(List.of(first, second)).containsExactlyInAnyOrder(jobs.get(0).id, jobs.get(1).id);
    bench.beat();
    assertThat(bench.load().queues()).isEmpty();
  }

  private JobId answerLoss(java.util.function.Function<JobId, ReportReply> reply) {
    var forward = bench.partition.expectMessageClass(PartitionNotice.Forward.class).message();
    ((Job.UpdateAttempt) forward.command()).replyTo().tell(reply.apply(forward.job()));
    return forward.job();
  }

  @Test
  void tellsAJobThatWasMadeAnewWhereItsWorkerIs() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.takes(credit);

    var after = job.again();
    after.isUnderway(credit);

    assertThat(after.probe.expectMessageClass(Job.Restore.class).credit()).isEqualTo(credit);
  }

  /// The claim became durable, but the actor crashed before it answered the offer.
  @Test
  void findsTheCreditOfAJobThatWasMadeAnewAmongItsOffers() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.offered();

    var after = job.again();
    after.isUnderway(credit);

    assertThat(after.probe.expectMessageClass(Job.Restore.class).credit()).isEqualTo(credit);
    pool.beats();
    after.probe.expectMessageClass(Job.RunAgain.class);
  }

  @Test
  void losesAnAttemptOfWhichItKnowsNothing() {
    var pool = bench.pool("pool", 4, "t");
    var job = bench.job("t", "q");

    job.isUnderway(pool.makes());

    assertThat(bench.nextLost()).isEqualTo(job.id);
  }

  /// The lease is five beats of two seconds; the margin is one beat.
  @Test
  void losesARemotePoolThatIsSilentForItsLeaseAndTheMargin() {
    var pool = bench.remotePool("far", 4, "t");
    var job = bench.job("t", "q").ready();
    job.takes(pool.gives());
    for (int i = 0; i < 6; i++) {
      bench.beat();
    }
    pool.beats();
    for (int i = 0; i < 6; i++) {
      bench.beat();
      assertThat(bench.load().queues().get("q").running()).isEqualTo(1);
    }
    bench.partition.expectNoMessage(Duration.ofMillis(1));

    bench.beat();

    assertThat(bench.nextLost()).isEqualTo(job.id);
  }

  @Test
  void doesNotLoseALocalPoolThatIsSilent() {
    var pool = bench.pool("near", 4, "t");
    var job = bench.job("t", "q").ready();
    job.takes(pool.gives());

    for (int i = 0; i < 30; i++) {
      bench.beat();
    }

    bench.load();
    bench.partition.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void answersABeat() {
    var pool = bench.pool("pool", 4, "t");

    pool.beats();

    assertThat(pool.next(WorkerPool.BeatAnswered.class).sentAt()).isEqualTo(1);
  }
}
