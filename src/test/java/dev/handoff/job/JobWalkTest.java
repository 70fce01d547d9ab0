package dev.handoff.job;

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

  /// As with the list of queued jobs that was handed out once: somebody has set a job in it back to
  /// what it was before, and the next round finds it so.
  private static Decision putBack(JobState state, JobCommand command) {
    var shared =
        command instanceof JobCommand.Claim && !state.ended()
            ? new JobState(
                state.id(),
                state.spec(),
                state.createdAt(),
                state.version(),
                state.attempt(),
                state.starts(),
                new Phase.Pending(Samples.NOW),
                state.trail())
            : state;
    return JobWalk.real(shared, command);
  }

  /// Takes every report for one of the current attempt.
  private static Decision withoutFence(JobState state, JobCommand command) {
    var unfenced =
        switch (command) {
          case JobCommand.Report(int stale, var report, var notes) ->
              new JobCommand.Report(state.attempt(), report, notes);
          case JobCommand other -> other;
        };
    return JobWalk.real(state, unfenced);
  }

  private static Decision believingThatItNeverStarted(JobState state, JobCommand command) {
    return command instanceof JobCommand.LoseWorker(int attempt)
        ? JobWalk.real(state, Samples.report(attempt, new AttemptReport.NeverStarted()))
        : JobWalk.real(state, command);
  }

  private static Decision takingLateResults(JobState state, JobCommand command) {
    boolean late =
        command instanceof JobCommand.Report(int attempt, AttemptReport.Returned result, var notes)
            && state.phase() instanceof Phase.Stopping
            && state.underway().isPresent();
    return late
        ? Decision.done(
            new JobFact.Succeeded(state.attempt(), Samples.RESULT, Notes.NONE, Samples.NOW))
        : JobWalk.real(state, command);
  }
}
