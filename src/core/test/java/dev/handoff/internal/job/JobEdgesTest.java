package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.JobError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Covers lines whose mutations other tests do not detect.
@DisplayName("At its edges a job")
class JobEdgesTest {

  private static final Instant NOW = JobSituations.NOW;
  private static final JobPhase.CancelRequest REQUEST = new JobPhase.CancelRequest("no", "me", NOW);

  private static JobState running() {
    return JobSituations.submitted(JobSituations.spec())
        .apply(new JobFact.Claimed(1, JobSituations.WORKER, NOW))
        .apply(new JobFact.Started(1, NOW))
        .apply(new JobFact.ChildAdded(JobSituations.CHILD));
  }

  private static JobFact.AttemptEnd end(EndCause cause, boolean abandoned, boolean discarded) {
    return new JobFact.AttemptEnd(
        1, cause, JobSituations.ERROR, abandoned, discarded, AttemptNotes.NONE, NOW.plusSeconds(5));
  }

  private static JobFact settled(JobState job) {
    var facts = JobSituations.decide(job, new JobCommand.SettleChildren(List.of())).facts();
    assertThat(facts).hasSize(1);
    return facts.getFirst();
  }

  @Test
  void isOpenedAgainAsAStepWithItsPlanOnly() {
    var step = JobSituations.submitted(JobSituations.spec(1).stepOf("plan-1", "resize"));
    var failed =
        JobSituations.after(
            JobSituations.after(step, JobSituations.claim()),
            JobSituations.report(1, new AttemptReport.Threw(JobSituations.ERROR)));

    assertThat(failed.spec().plan()).isEqualTo("plan-1");
    assertThat(JobSituations.decide(failed, new JobCommand.Retry("ann")))
        .isEqualTo(JobDecision.of(CommandVerdict.STEP_OF_A_PLAN));
    assertThat(JobSituations.decide(failed, new JobCommand.Retry("ann", true)).verdict())
        .isEqualTo(CommandVerdict.DONE);
    assertThat(JobSituations.decide(JobSituations.failed(), new JobCommand.Retry("ann")).verdict())
        .isEqualTo(CommandVerdict.DONE);
  }

  @Test
  void thatHasTimedOutLosesAStartOnlyIfItsAttemptHadStarted() {
    var timeOut = new JobCommand.TimeOut(1, JobPhase.StopCause.TIMEOUT);
    var never = JobSituations.report(1, new AttemptReport.NeverStarted());
    var before = JobSituations.after(JobSituations.claimed(), timeOut);
    var after = JobSituations.after(JobSituations.running(), timeOut);

    assertThat(JobSituations.decide(before, never).facts())
        .singleElement()
        .isEqualTo(new JobFact.Returned(1, EndCause.NEVER_STARTED, AttemptNotes.NONE, NOW));
    assertThat(JobSituations.decide(after, never).facts())
        .singleElement()
        .isInstanceOfSatisfying(
            JobFact.RetryScheduled.class,
            again -> {
              assertThat(again.end().cause()).isEqualTo(EndCause.TIMED_OUT);
              assertThat(again.end().abandoned()).isTrue();
            });
  }

  @Test
  void reportsOfARefusedEndWhatCanBeStored() {
    var bare = JobError.of(JobCommand.UNSTORABLE, "its error cannot be stored: no");
    var lines = new AttemptNotes(List.of("a line"), null);

    assertThat(storable(new AttemptReport.Returned(JobSituations.RESULT), lines))
        .hasValue(
            JobSituations.report(
                1,
                new AttemptReport.Threw(
                    JobError.of(JobCommand.UNSTORABLE, "its result cannot be stored: no"))));
    assertThat(storable(new AttemptReport.Threw(JobSituations.ERROR, true), lines))
        .hasValue(JobSituations.report(1, new AttemptReport.Threw(bare, true)));
    for (var report :
        List.of(
            new AttemptReport.Threw(bare),
            new AttemptReport.Later(Duration.ZERO),
            new AttemptReport.NeverStarted())) {
      assertThat(storable(report, lines)).hasValue(JobSituations.report(1, report));
      assertThat(storable(report, AttemptNotes.NONE)).isEmpty();
    }
  }

  private static Optional<JobCommand.Report> storable(AttemptReport report, AttemptNotes notes) {
    return new JobCommand.Report(1, report, notes).storable("no");
  }

  @Test
  void hasEndedOrNot() {
    assertThat(JobSituations.succeeded().ended()).isTrue();
    assertThat(JobSituations.failed().ended()).isTrue();
    assertThat(JobSituations.cancelled().ended()).isTrue();
    assertThat(JobSituations.cancelling().ended()).isFalse();
    assertThat(JobSituations.queued().ended()).isFalse();
  }

  @ParameterizedTest(name = "abandoned {0}, discarded {1}")
  @CsvSource({"false, false", "true, false", "false, true"})
  void tellsWhenItsChildrenHaveSettledWhatItsCancelHadMet(boolean abandoned, boolean discarded) {
    var job =
        running()
            .apply(new JobFact.CancelRequested(REQUEST))
            .apply(new JobFact.AttemptStopped(end(EndCause.CANCELLED, abandoned, discarded)));

    assertThat(settled(job))
        .isInstanceOfSatisfying(
            JobFact.Cancelled.class,
            fact -> {
              assertThat(fact.abandoned()).isEqualTo(abandoned);
              assertThat(fact.discarded()).isEqualTo(discarded);
            });
  }

  @Test
  void tellsNothingOfAnAttemptThatItsCancelDidNotMeet() {
    for (boolean abandoned : new boolean[] {true, false}) {
      var job =
          running()
              .apply(
                  new JobFact.RetryScheduled(end(EndCause.TIMED_OUT, abandoned, !abandoned), NOW))
              .apply(new JobFact.CancelRequested(REQUEST));

      assertThat(settled(job))
          .isInstanceOfSatisfying(
              JobFact.Cancelled.class,
              fact -> {
                assertThat(fact.abandoned()).isFalse();
                assertThat(fact.discarded()).isFalse();
              });
    }
  }

  @Test
  void waitsForNoClockThatWasSetBackSinceItWasToRunAtOnce() {
    var before = NOW.minusSeconds(3_600);
    var again = NOW.plusSeconds(5);
    var retried =
        running().apply(new JobFact.RetryScheduled(end(EndCause.FAILED, false, false), again));
    var failed = running().apply(new JobFact.Failed(end(EndCause.FAILED, false, false)));
    var reopened = failed.apply(new JobFact.Reopened(failed, "me", NOW.plusSeconds(9)));

    assertThat(JobSituations.submitted(JobSituations.spec()).isDue(before)).isTrue();
    assertThat(retried.isDue(before)).isTrue();
    assertThat(reopened.isDue(before)).isTrue();
  }

  @Test
  void waitsForATimeThatIsToCome() {
    var later = NOW.plusSeconds(60);
    var retried =
        running().apply(new JobFact.RetryScheduled(end(EndCause.FAILED, false, false), later));
    var atItsBegin =
        running().apply(new JobFact.RetryScheduled(end(EndCause.FAILED, false, false), NOW));

    assertThat(retried.isDue(later.minusMillis(1))).isFalse();
    assertThat(retried.isDue(later)).isTrue();
    assertThat(atItsBegin.isDue(NOW.minusMillis(1))).isFalse();
  }

  @Test
  void keepsAnOfferEvenIfItsStashIsFullAndOnlyOnce() {
    var stash = new JobStash();
    var offer = new Job.Claim(new WorkerCredit(new PoolId("pool"), 1, "worker-1", null));
    var other = new Job.Claim(new WorkerCredit(new PoolId("pool"), 2, "worker-1", null));
    var question = new Job.Watch(null);

    assertThat(stash.add(question, 1)).isTrue();
    assertThat(stash.add(question, 1)).isFalse();
    assertThat(stash.add(offer, 1)).isTrue();
    assertThat(stash.add(offer, 1)).isTrue();
    assertThat(stash.add(other, 1)).isTrue();

    assertThat(stash.poll()).isEqualTo(question);
    assertThat(stash.add(question, 4)).isTrue();
    var kept = new ArrayList<Job.Command>();
    stash.drain(kept::add);
    assertThat(kept).containsExactly(offer, other, question);
  }

  @Test
  void hasAsManyChildrenAndKeysAsItMay() {
    var few = withChildren(JobTrail.MAX_CHILDREN - 1, null);
    var all = withChildren(JobTrail.MAX_CHILDREN, null);
    var child = new ChildJob(JobSituations.ID, null, "f");

    assertThat(few.hasRoomFor(child)).isTrue();
    assertThat(all.hasRoomFor(child)).isFalse();

    var keys = withChildren(1, "k".repeat(JobTrail.MAX_CHILD_KEYS - 3));
    assertThat(keys.hasRoomFor(new ChildJob(JobSituations.ID, "abc", "f"))).isTrue();
    assertThat(keys.hasRoomFor(new ChildJob(JobSituations.ID, "abcd", "f"))).isFalse();
  }

  private static JobTrail withChildren(int count, String key) {
    var child = new ChildJob(JobSituations.ID, key, "f");
    return new JobTrail(null, null, null, null, Collections.nCopies(count, child), null);
  }

  @Test
  void mayHaveAnyBackoffUpToTheBounds() {
    var second = Duration.ofSeconds(1);
    var year = Duration.ofDays(366);

    assertThat(Backoff.fixed(Duration.ZERO).after(1, new Random(1))).isZero();
    assertThat(Backoff.fixed(year).after(1, new Random(1))).isEqualTo(year);
    assertThat(Backoff.exponential(second, 1, year, 0).after(9, new Random(1))).isEqualTo(second);
    assertThat(Backoff.exponential(second, 100, year, 0).after(2, new Random(1)))
        .isEqualTo(Duration.ofSeconds(100));
    assertThat(Backoff.exponential(second, 1, year, 1).after(1, new Random(1)))
        .isBetween(Duration.ZERO, second.multipliedBy(2));
  }
}
