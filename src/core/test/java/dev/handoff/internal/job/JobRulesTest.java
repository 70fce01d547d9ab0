package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.CHILD;
import static dev.handoff.internal.job.JobSituations.ERROR;
import static dev.handoff.internal.job.JobSituations.NOW;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.after;
import static dev.handoff.internal.job.JobSituations.cancel;
import static dev.handoff.internal.job.JobSituations.claim;
import static dev.handoff.internal.job.JobSituations.decide;
import static dev.handoff.internal.job.JobSituations.report;
import static dev.handoff.internal.job.JobSituations.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.Backoff;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A job")
class JobRulesTest {

  @Test
  void goesBackWithoutCostOrErrorWhenItsHandlerWantsToGoOnLater() {
    var kept = after(JobSituations.runningOnce(), new JobCommand.Checkpoint(1, Json.of("7")));

    var later = after(kept, report(1, new AttemptReport.Later(Duration.ofMinutes(10))));

    assertThat(later.phase()).isEqualTo(new JobPhase.Pending(NOW.plusSeconds(600)));
    assertThat(later.status(NOW)).isEqualTo(JobStatus.SCHEDULED);
    assertThat(later.starts()).isZero();
    assertThat(later.trail().checkpoint()).isEqualTo(Json.of("7"));
    assertThat(later.trail().attempts())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.cause()).isEqualTo(EndCause.LATER))
        .satisfies(attempt -> assertThat(attempt.error()).isNull());
  }

  @Test
  void answersEveryCommandInEverySituation() {
    JobSituations.situations()
        .forEach(
            (situation, job) ->
                JobSituations.commands(job)
                    .forEach(
                        (name, command) ->
                            assertThat(decide(job, command).verdict())
                                .as("%s while %s", name, situation)
                                .isNotNull()));
  }

  @Test
  void hasOneFactForEachCommandAtMost() {
    JobSituations.situations()
        .values()
        .forEach(
            job ->
                assertThat(JobSituations.commands(job).values())
                    .allSatisfy(
                        command -> assertThat(decide(job, command).facts()).hasSizeLessThan(2)));
  }

  @Test
  void countsEachFactInItsVersion() {
    JobSituations.situations()
        .values()
        .forEach(
            job ->
                JobSituations.commands(job)
                    .values()
                    .forEach(
                        command -> {
                          var decision = decide(job, command);
                          assertThat(after(job, decision).version())
                              .isEqualTo(job.version() + decision.facts().size());
                        }));
  }

  @Test
  void thatIsToRunAtOnceIsNotHeldUpByAClockThatIsSetBack() {
    var before = NOW.minusSeconds(3_600);
    var submitted =
        JobState.create(JobSituations.ID, new JobFact.Submitted(JobSituations.spec(3), NOW, false));
    var lost = after(JobSituations.running(), new JobCommand.LoseWorker(1));
    var reopened = after(after(submitted, cancel()), new JobCommand.Retry("ann"));

    for (var pending : List.of(submitted, lost, reopened)) {
      assertThat(pending.status(before)).isEqualTo(JobStatus.QUEUED);
      assertThat(pending.decide(claim(), before, RandomGenerator.getDefault()).verdict())
          .isEqualTo(CommandVerdict.DONE);
    }
  }

  @Test
  void thatHasATimeToRunAtWaitsForItWhateverBecomesOfTheClock() {
    var before = NOW.minusSeconds(3_600);
    var later = JobState.create(JobSituations.ID, new JobFact.Submitted(at(NOW), before, false));
    var failed = after(JobSituations.running(), report(1, new AttemptReport.Threw(ERROR)));

    for (var pending : List.of(later, failed)) {
      assertThat(pending.status(before)).isEqualTo(JobStatus.SCHEDULED);
      assertThat(pending.decide(claim(), before, RandomGenerator.getDefault()).verdict())
          .isEqualTo(CommandVerdict.DECLINED);
    }
  }

  private static JobSpec at(Instant time) {
    return new JobSpec("t", Json.NULL, "q", 0, null, time, JobOptions.DEFAULT, null);
  }

  @Test
  void startsAgainAfterItsDelayWhenItsAttemptFails() {
    var failed = after(JobSituations.running(), report(1, new AttemptReport.Threw(ERROR)));

    assertThat(failed.phase()).isEqualTo(new JobPhase.Pending(NOW.plusSeconds(5)));
    assertThat(failed.status(NOW)).isEqualTo(JobStatus.SCHEDULED);
    assertThat(failed.status(NOW.plusSeconds(5))).isEqualTo(JobStatus.QUEUED);
    assertThat(failed.trail().attempts())
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.cause()).isEqualTo(EndCause.FAILED);
              assertThat(attempt.error()).isEqualTo(ERROR);
              assertThat(attempt.worker()).isEqualTo("pool-1/worker-1");
              assertThat(attempt.startedAt()).isEqualTo(NOW);
            });
  }

  @Test
  void startsAgainAtOnceWhenItsWorkerIsLost() {
    var lost = after(JobSituations.running(), new JobCommand.LoseWorker(1));

    assertThat(lost.phase()).isEqualTo(new JobPhase.Pending(NOW));
    assertThat(lost.starts()).isEqualTo(1);
  }

  @Test
  void failsWithItsLastErrorWhenNoStartIsLeft() {
    var failed = after(JobSituations.runningLast(), report(3, new AttemptReport.Threw(ERROR)));

    assertThat(failed.phase()).isEqualTo(new JobPhase.Failed(EndCause.FAILED, ERROR, NOW));
    assertThat(failed.endedAt()).contains(NOW);
    assertThat(failed.trail().attempts()).hasSize(3);
  }

  @Test
  void thatMayStartOnceFailsWhenItsWorkerIsLostOrTheEngineStops() {
    var lost = after(JobSituations.runningOnce(), new JobCommand.LoseWorker(1));
    var stopped =
        after(JobSituations.runningOnce(), report(1, new AttemptReport.Stopped(Cause.SHUTDOWN)));

    assertThat(lost.phase())
        .isInstanceOfSatisfying(
            JobPhase.Failed.class,
            over -> assertThat(over.cause()).isEqualTo(EndCause.WORKER_LOST));
    assertThat(stopped.phase())
        .isInstanceOfSatisfying(
            JobPhase.Failed.class, over -> assertThat(over.cause()).isEqualTo(EndCause.SHUTDOWN));
  }

  @Test
  void paysNoStartForAShutdownThatItsHandlerObeyed() {
    var stopped =
        after(JobSituations.runningLast(), report(3, new AttemptReport.Stopped(Cause.SHUTDOWN)));

    assertThat(stopped.status(NOW)).isEqualTo(JobStatus.QUEUED);
    assertThat(stopped.starts()).isEqualTo(2);
  }

  @Test
  void paysNoStartForAClaimThatCameToNothing() {
    var returned = after(JobSituations.claimed(), report(1, new AttemptReport.NeverStarted()));

    assertThat(returned.starts()).isZero();
    assertThat(returned.attempt()).isEqualTo(1);
    assertThat(after(returned, claim()).attempt()).isEqualTo(2);
  }

  @Test
  void paysAStartWhenAnAttemptThatRanIsSaidToHaveNeverStarted() {
    var lost = after(JobSituations.running(), report(1, new AttemptReport.NeverStarted()));

    assertThat(lost.starts()).isEqualTo(1);
    assertThat(lost.trail().attempts().getLast().cause()).isEqualTo(EndCause.WORKER_LOST);
  }

  @Test
  void paysAStartWhenItsWorkerGaveItUpForALostLease() {
    var lost =
        after(JobSituations.running(), report(1, new AttemptReport.Stopped(Cause.LEASE_LOST)));

    assertThat(lost.starts()).isEqualTo(1);
    assertThat(lost.trail().attempts().getLast().cause()).isEqualTo(EndCause.WORKER_LOST);
  }

  @Test
  void discardsAResultThatComesAfterItsCancel() {
    var cancelled =
        after(JobSituations.cancelling(), report(1, new AttemptReport.Returned(RESULT)));

    assertThat(cancelled.phase())
        .isInstanceOfSatisfying(
            JobPhase.Cancelled.class,
            over -> {
              assertThat(over.discarded()).isTrue();
              assertThat(over.abandoned()).isFalse();
              assertThat(over.request().by()).isEqualTo("operator");
            });
    assertThat(cancelled.trail().attempts().getLast().late()).contains("discarded");
  }

  @Test
  void isAbandonedWhenItsWorkerIsLostWhileItIsCancelled() {
    var cancelled = after(JobSituations.cancelling(), new JobCommand.LoseWorker(1));

    assertThat(cancelled.phase())
        .isInstanceOfSatisfying(
            JobPhase.Cancelled.class, over -> assertThat(over.abandoned()).isTrue());
  }

  @Test
  void answersARepeatedReportAsItDidTheFirst() {
    var threw = report(1, new AttemptReport.Threw(ERROR));
    var discarded = report(1, new AttemptReport.Returned(RESULT));

    assertThat(decide(after(JobSituations.running(), threw), threw))
        .isEqualTo(JobDecision.of(CommandVerdict.DONE));
    assertThat(decide(JobSituations.succeeded(), report(1, new AttemptReport.Returned(RESULT))))
        .isEqualTo(JobDecision.of(CommandVerdict.DONE));
    assertThat(decide(after(JobSituations.cancelling(), discarded), discarded))
        .isEqualTo(JobDecision.of(CommandVerdict.DONE));
  }

  @Test
  void neverTakesAResultForTheReportOfAnAttemptThatFailed() {
    var failed = after(JobSituations.running(), report(1, new AttemptReport.Threw(ERROR)));

    var late = decide(failed, report(1, new AttemptReport.Returned(RESULT)));

    assertThat(late).isEqualTo(JobDecision.of(CommandVerdict.FENCED));
  }

  @Test
  void putsOnRecordOnceWhatComesOfAnAttemptThatWasGivenUp() {
    var again = JobSituations.runningAgain();

    var first = decide(again, report(1, new AttemptReport.Returned(RESULT)));
    var recorded = after(again, first);
    var second = decide(recorded, report(1, new AttemptReport.Returned(RESULT)));

    assertThat(first.verdict()).isEqualTo(CommandVerdict.FENCED);
    assertThat(recorded.trail().attempts().getFirst().late()).isEqualTo("returned a result");
    assertThat(recorded.phase()).isEqualTo(again.phase());
    assertThat(second).isEqualTo(JobDecision.of(CommandVerdict.FENCED));
  }

  @Test
  void saysInShortWhatALateReportWas() {
    assertThat(late(new AttemptReport.Threw(ERROR))).isEqualTo("failed: no route to host");
    assertThat(late(new AttemptReport.Stopped(Cause.LEASE_LOST))).isEqualTo("stopped");
    assertThat(late(new AttemptReport.NeverStarted())).isEqualTo("was never started");
    assertThat(
            decide(
                JobSituations.runningAgain(),
                report(1, new AttemptReport.Abandoned(Cause.REQUESTED))))
        .isEqualTo(JobDecision.of(CommandVerdict.FENCED));
  }

  private static String late(AttemptReport report) {
    return after(JobSituations.runningAgain(), report(1, report))
        .trail()
        .attempts()
        .getFirst()
        .late();
  }

  @Test
  void neverOpensASuccessAgain() {
    assertThat(decide(JobSituations.succeeded(), new JobCommand.Retry("operator")))
        .isEqualTo(JobDecision.of(CommandVerdict.ALREADY_FINISHED));
  }

  @Test
  void thatIsOpenedAgainHasAllItsStartsAndKeepsItsCount() {
    var open = after(JobSituations.failed(), new JobCommand.Retry("ann"));

    assertThat(open.status(NOW)).isEqualTo(JobStatus.QUEUED);
    assertThat(open.starts()).isZero();
    assertThat(open.attempt()).isEqualTo(1);
    assertThat(open.trail().attempts()).hasSize(1);
    assertThat(open.trail().reopenings()).containsExactly(new OperatorRetry("ann", NOW));
    assertThat(after(open, claim()).attempt()).isEqualTo(2);
  }

  @Test
  void keepsItsChildrenWhenItIsOpenedAgainUnlessTheyWereCancelledWithIt() {
    var failed =
        after(
            JobSituations.submitted(JobSituations.spec(1)),
            claim(),
            new JobCommand.AddChild(1, CHILD),
            report(1, new AttemptReport.Threw(ERROR)));
    var cancelled =
        after(JobSituations.queuedParent(), cancel(), new JobCommand.SettleChildren(List.of()));

    assertThat(after(failed, new JobCommand.Retry("ann")).trail().children())
        .containsExactly(CHILD);
    assertThat(after(cancelled, new JobCommand.Retry("ann")).trail().children()).isEmpty();
  }

  @Test
  void thatIsCancelledWaitsForItsChildrenAndNamesThoseThatDidNotAnswer() {
    var stopped =
        after(
            JobSituations.parent(),
            cancel(),
            report(1, new AttemptReport.Abandoned(Cause.REQUESTED)));
    var settled = after(stopped, new JobCommand.SettleChildren(List.of(CHILD.id())));

    assertThat(stopped.status(NOW)).isEqualTo(JobStatus.CANCELLING);
    assertThat(stopped.underway()).isEmpty();
    assertThat(settled.phase())
        .isInstanceOfSatisfying(
            JobPhase.Cancelled.class,
            over -> {
              assertThat(over.unanswered()).containsExactly(CHILD.id());
              assertThat(over.abandoned()).isTrue();
            });
  }

  @Test
  void isNotCalledAbandonedForAnAttemptThatItsCancelNeverMet() {
    var lostBefore = after(JobSituations.parent(), new JobCommand.LoseWorker(1), cancel());

    var settled = after(lostBefore, new JobCommand.SettleChildren(List.of()));

    assertThat(settled.phase())
        .isInstanceOfSatisfying(
            JobPhase.Cancelled.class, over -> assertThat(over.abandoned()).isFalse());
  }

  @Test
  void givesTheSameChildForTheSameKeyAndContent() {
    var parent = JobSituations.parent();
    var other = new ChildJob(JobSituations.id(9), CHILD.key(), "ffffff");

    assertThat(decide(parent, new JobCommand.AddChild(1, CHILD)))
        .isEqualTo(JobDecision.of(CommandVerdict.DONE));
    assertThat(decide(parent, new JobCommand.AddChild(1, other)))
        .isEqualTo(JobDecision.of(CommandVerdict.KEY_CONFLICT));
  }

  @Test
  void hasABoundedNumberOfChildren() {
    var many =
        IntStream.range(0, JobTrail.MAX_CHILDREN)
            .mapToObj(i -> new ChildJob(CHILD.id(), null, "0"))
            .toList();
    var running = JobSituations.running();
    var trail = new JobTrail(List.of(), List.of(), null, null, many, List.of());
    var full = new JobState(running.id(), running.spec(), NOW, 1, 1, 1, running.phase(), trail);

    assertThat(decide(full, new JobCommand.AddChild(1, CHILD)))
        .isEqualTo(JobDecision.of(CommandVerdict.TOO_MANY_CHILDREN));
  }

  @Test
  void hasNoMoreChildrenThanItsEndCanBeWrittenWith() {
    var long512 = "k".repeat(512);
    var many =
        IntStream.range(0, JobTrail.MAX_CHILD_KEYS / 512)
            .mapToObj(i -> new ChildJob(CHILD.id(), long512, "0"))
            .toList();
    var running = JobSituations.running();
    var trail = new JobTrail(List.of(), List.of(), null, null, many, List.of());
    var full = new JobState(running.id(), running.spec(), NOW, 1, 1, 1, running.phase(), trail);
    var another = new ChildJob(CHILD.id(), "l".repeat(512), "0");

    assertThat(decide(full, new JobCommand.AddChild(1, another)))
        .isEqualTo(JobDecision.of(CommandVerdict.TOO_MANY_CHILDREN));
  }

  @Test
  void thatCannotGoOnWhileItIsCancelledIsCancelled() {
    var gaveUp = after(after(JobSituations.parent(), cancel()), new JobCommand.GiveUp(ERROR));

    assertThat(gaveUp.phase())
        .isInstanceOfSatisfying(
            JobPhase.Cancelled.class,
            over -> {
              assertThat(over.abandoned()).isTrue();
              assertThat(over.unanswered()).containsExactly(CHILD.id());
            });
  }

  @Test
  void keepsWhatItsAttemptSaid() {
    var running = JobSituations.running();
    var notes = new AttemptNotes(List.of("reading"), new Progress(0.25, "a quarter"));

    var after =
        after(
            running,
            new JobCommand.Note(1, notes),
            new JobCommand.Checkpoint(1, Json.of("42")),
            new JobCommand.Report(
                1, new AttemptReport.Returned(RESULT), new AttemptNotes(List.of("done"), null)));

    assertThat(after.trail().log()).containsExactly("reading", "done");
    assertThat(after.trail().progress()).isEqualTo(new Progress(0.25, "a quarter"));
    assertThat(after.trail().checkpoint()).isEqualTo(Json.of("42"));
  }

  @Test
  void beginsItsNextAttemptWithoutTheProgressOfTheOneBefore() {
    var half = new JobCommand.Note(1, new AttemptNotes(List.of("half"), new Progress(0.5, "half")));
    var waiting = after(JobSituations.running(), half, new JobCommand.LoseWorker(1));

    var again = after(waiting, claim());

    assertThat(waiting.trail().progress()).isNotNull();
    assertThat(again.trail().progress()).isNull();
    assertThat(again.trail().log()).containsExactly("half");
  }

  @Test
  void isLeftAloneByFactsThatItHasAlready() {
    var running = JobSituations.running();
    var cancelled = JobSituations.cancelled();

    assertThat(running.apply(new JobFact.Submitted(running.spec(), NOW, false))).isSameAs(running);
    assertThat(running.apply(new JobFact.Started(1, NOW))).isSameAs(running);
    assertThat(JobSituations.queued().apply(new JobFact.Started(1, NOW)))
        .isEqualTo(JobSituations.queued());
    assertThat(cancelled.apply(new JobFact.Started(1, NOW))).isSameAs(cancelled);
    var left = after(JobSituations.queuedParent(), cancel());
    assertThat(left.apply(new JobFact.Started(1, NOW))).isSameAs(left);
  }

  @Test
  void isDueWhenItsTimeHasCome() {
    var spec =
        new JobSpec(
            "mail", Json.NULL, "default", 0, null, NOW.minusSeconds(9), JobOptions.DEFAULT, null);
    var held = JobState.create(JobSituations.ID, new JobFact.Submitted(spec, NOW, true));

    assertThat(JobSituations.submitted(spec).phase()).isEqualTo(new JobPhase.Pending(NOW));
    assertThat(after(held, new JobCommand.Release()).phase()).isEqualTo(new JobPhase.Pending(NOW));
    assertThat(JobSituations.scheduled().phase())
        .isEqualTo(new JobPhase.Pending(NOW.plusSeconds(3600)));
  }

  @Test
  void tellsItsAttemptWhileThereIsOne() {
    assertThat(JobSituations.queued().underway()).isEmpty();
    assertThat(JobSituations.claimed().underway())
        .contains(new JobPhase.Underway(JobSituations.WORKER, NOW, null));
    assertThat(JobSituations.running().underway())
        .contains(new JobPhase.Underway(JobSituations.WORKER, NOW, NOW));
    assertThat(JobSituations.cancelling().underway()).isPresent();
    assertThat(JobSituations.cancelled().underway()).isEmpty();
    assertThat(JobSituations.running().endedAt()).isEmpty();
  }

  @Test
  void namesTheLimitThatAnAttemptBroke() {
    var timedOut =
        after(
            JobSituations.running(),
            JobSituations.timeOut(1),
            report(1, new AttemptReport.Threw(ERROR)));
    var silent =
        after(
            JobSituations.running(),
            new JobCommand.TimeOut(1, JobPhase.StopCause.HEARTBEAT),
            report(1, new AttemptReport.Threw(ERROR)));

    assertThat(timedOut.trail().attempts().getLast().error().message())
        .isEqualTo("ran longer than its timeout of 1m");
    assertThat(silent.trail().attempts().getLast().error().message())
        .isEqualTo("gave no sign of life for 10s");
    assertThat(timedOut.trail().attempts().getLast().error().type())
        .isEqualTo(EndCause.TIMED_OUT.label());
    assertThat(silent.trail().attempts().getLast().error().type())
        .isEqualTo(EndCause.HEARTBEAT_LOST.label());
  }

  @Test
  void cannotTimeOutByACancel() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JobCommand.TimeOut(1, JobPhase.StopCause.CANCEL))
        .withMessageContaining("send Cancel");
    assertThat(JobPhase.StopCause.CANCEL.end()).isEqualTo(EndCause.CANCELLED);
  }

  @Test
  void waitsLongerAfterEachFailure() {
    var options =
        new JobOptions(
            null,
            null,
            5,
            Backoff.exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0),
            Map.of());
    var job =
        JobSituations.submitted(
            new JobSpec("mail", Json.NULL, "default", 0, null, null, options, null));

    for (int attempt = 1; attempt <= 4; attempt++) {
      job = job.apply(new JobFact.Claimed(attempt, JobSituations.WORKER, NOW));
      job = after(job, started(attempt), report(attempt, new AttemptReport.Threw(ERROR)));

      var delay = Duration.ofSeconds(1L << (attempt - 1));
      assertThat(job.phase()).isEqualTo(new JobPhase.Pending(NOW.plus(delay)));
    }
  }
}
