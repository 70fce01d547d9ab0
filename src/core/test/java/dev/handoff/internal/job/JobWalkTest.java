package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Two jobs and two workers, whatever happens in whatever order,")
class JobWalkTest {

  private static final int DEPTH = Integer.getInteger("handoff.walk.depth", 9);

  @Test
  void keepEveryInvariant() {
    var seen = new JobWalk(JobWalk::real, DEPTH).walk();

    System.out.printf("%,d distinct worlds, %,d steps%n", seen.worlds(), seen.facts());
    assertThat(seen.worlds()).isGreaterThan(10_000);
    assertThat(seen.verdicts())
        .contains(
            "Report FENCED",
            "Report DONE",
            "Report ALREADY_FINISHED",
            "Claim DECLINED",
            "Claim ALREADY_FINISHED",
            "Cancel DONE",
            "Cancel ALREADY_FINISHED",
            "Retry DONE",
            "SettleChildren DONE",
            "AddChild BEING_CANCELLED",
            "TimeOut FENCED",
            "LoseWorker FENCED");
  }

  @Test
  void breakTheFenceIfItIsNotCompared() {
    var walk = new JobWalk(JobWalkTest::withoutFence, 6);

    assertThatThrownBy(walk::walk)
        .isInstanceOf(JobChecker.Violation.class)
        .hasMessageContaining("I5");
  }

  @Test
  void startTwiceIfACreditIsGivenBackForAnAttemptThatRan() {
    var walk = new JobWalk(JobWalkTest::believingThatItNeverStarted, 6);

    assertThatThrownBy(walk::walk)
        .isInstanceOf(JobChecker.Violation.class)
        .hasMessageContaining("I8");
  }

  @Test
  void succeedAfterACancelIfALateResultIsTaken() {
    var walk = new JobWalk(JobWalkTest::takingLateResults, 6);

    assertThatThrownBy(walk::walk)
        .isInstanceOf(JobChecker.Violation.class)
        .hasMessageContaining("I12");
  }

  @Test
  void claimTwiceIfWhoeverHoldsAJobCanPutItBack() {
    var walk = new JobWalk(JobWalkTest::putBack, 6);

    assertThatThrownBy(walk::walk)
        .isInstanceOf(JobChecker.Violation.class)
        .hasMessageContaining("I7 only what waits is claimed");
  }

  /// Former defect, shared mutable state: another component resets a job in a shared list of queued
  /// jobs to an earlier state, and the next round reads that state.
  private static JobDecision putBack(JobState state, JobCommand command) {
    var shared =
        command instanceof JobCommand.Claim && !state.ended()
            ? new JobState(
                state.id(),
                state.spec(),
                state.createdAt(),
                state.version(),
                state.attempt(),
                state.starts(),
                new JobPhase.Pending(JobSituations.NOW),
                state.trail())
            : state;
    return JobWalk.real(shared, command);
  }

  /// Treats every report as one of the current attempt.
  private static JobDecision withoutFence(JobState state, JobCommand command) {
    var unfenced =
        switch (command) {
          case JobCommand.Report(int stale, var report, var notes) ->
              new JobCommand.Report(state.attempt(), report, notes);
          case JobCommand other -> other;
        };
    return JobWalk.real(state, unfenced);
  }

  private static JobDecision believingThatItNeverStarted(JobState state, JobCommand command) {
    return command instanceof JobCommand.LoseWorker(int attempt)
        ? JobWalk.real(state, JobSituations.report(attempt, new AttemptReport.NeverStarted()))
        : JobWalk.real(state, command);
  }

  private static JobDecision takingLateResults(JobState state, JobCommand command) {
    boolean late =
        command instanceof JobCommand.Report(int attempt, AttemptReport.Returned result, var notes)
            && state.phase() instanceof JobPhase.Stopping
            && state.underway().isPresent();
    return late
        ? JobDecision.done(
            new JobFact.Succeeded(
                state.attempt(), JobSituations.RESULT, AttemptNotes.NONE, JobSituations.NOW))
        : JobWalk.real(state, command);
  }
}
