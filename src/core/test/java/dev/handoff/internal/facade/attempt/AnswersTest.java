package dev.handoff.internal.facade.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.CancelReport;
import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.Submission;
import dev.handoff.SubmissionRefusedException;
import dev.handoff.internal.facade.JobOutcomes;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.job.ChildReply;
import dev.handoff.internal.job.CommandVerdict;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.JobTrail;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An answer")
class AnswersTest {

  private static final JobId JOB = new JobId("01K9Z3N0W6000000000000000A");
  private static final JobId CHILD = new JobId("01K9Z3N0W6000000000000000B");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final JobState WAITING =
      JobState.create(JOB, new JobFact.Submitted(JobSpec.of("t", Json.NULL), NOW, false));
  private static final Duration LATER = Duration.ofMillis(1_500);

  private static JobState in(JobPhase phase) {
    return new JobState(JOB, WAITING.spec(), NOW, 5, 1, 1, phase, JobTrail.NONE);
  }

  private static JobPhase cancelled(boolean abandoned, boolean discarded) {
    var request = new JobPhase.CancelRequest("a mistake", "me", NOW);
    return new JobPhase.Cancelled(request, abandoned, discarded, List.of(CHILD), NOW);
  }

  static Stream<Arguments> ends() {
    var error = JobError.of("x", "y");
    return Stream.of(
        arguments(
            new JobPhase.Succeeded(Json.of("1"), NOW),
            new Outcome.Succeeded(Json.of("1")),
            new CancelReport.Already(JOB, JobStatus.SUCCEEDED)),
        arguments(
            new JobPhase.Failed(EndCause.FAILED, error, NOW),
            new Outcome.Failed(error),
            new CancelReport.Already(JOB, JobStatus.FAILED)),
        arguments(
            cancelled(false, true),
            new Outcome.Cancelled("a mistake", false),
            new CancelReport.Cancelled(JOB, true, List.of(CHILD))),
        arguments(
            cancelled(true, false),
            new Outcome.Cancelled("a mistake", true),
            new CancelReport.Abandoned(JOB, List.of(CHILD))));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void saysHowAJobEnded(JobPhase end, Outcome outcome, CancelReport report) {
    assertThat(JobOutcomes.of(in(end))).isEqualTo(outcome);
    assertThat(JobOutcomes.report(in(end))).isEqualTo(report);
  }

  @Test
  void isNotMadeUpForAJobThatHasNotEnded() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JobOutcomes.of(WAITING))
        .withMessage("job " + JOB + " has not ended");
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        arguments(
            new Submission.KeyConflict("k", JOB),
            "key \"k\" belongs to job " + JOB + ", which has other content"),
        arguments(
            new Submission.UnknownType("u", new TreeSet<>(Set.of("b", "a"))),
            "nobody here can run jobs of type \"u\"; known: a, b"),
        arguments(new Submission.Invalid(List.of("one", "two")), "one; two"),
        arguments(new Submission.Refused("no room"), "no room"),
        arguments(new Submission.Unavailable("away", LATER), "away; try again in 1.5s"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void thatIsARefusalBecomesAnException(Submission refusal, String message) {
    var thrown = catchThrowableOfType(SubmissionRefusedException.class, refusal::orThrow);

    assertThat(thrown).hasMessage(message);
    assertThat(thrown.submission()).isEqualTo(refusal);
  }

  static Stream<Arguments> toParents() {
    var over = "this attempt of job " + JOB + " is over for the engine";
    return Stream.of(
        arguments(
            new ChildReply.Declined(JOB, CommandVerdict.KEY_CONFLICT, List.of(CHILD)),
            new Submission.KeyConflict("k", CHILD)),
        refused(
            new ChildReply.Declined(JOB, CommandVerdict.BEING_CANCELLED, List.of()),
            "job " + JOB + " is being stopped: it cannot submit jobs any more"),
        refused(
            new ChildReply.Declined(JOB, CommandVerdict.TOO_MANY_CHILDREN, List.of()),
            "job " + JOB + " has as many children as a job may have"),
        refused(new ChildReply.Declined(JOB, CommandVerdict.FENCED, List.of()), over),
        arguments(
            new ChildReply.Unavailable(JOB, "away", LATER),
            new Submission.Unavailable("away", LATER)),
        refused(new ChildReply.Refused(JOB, "too large"), "too large"),
        refused(new ChildReply.Declined(JOB, CommandVerdict.ALREADY_FINISHED, List.of()), over));
  }

  private static Arguments refused(ChildReply reply, String reason) {
    return arguments(reply, new Submission.Refused(reason));
  }

  @ParameterizedTest
  @MethodSource("toParents")
  void toAHandlerThatSubmitsAJobTellsWhy(ChildReply reply, Submission answer) {
    var request = JobRequest.of("t").key("k");

    assertThat(HandlerAdapter.submission(request, reply, null)).isEqualTo(answer);
  }

  @Test
  void thatNeverCameIsToldInTheWordsOfItsCause() {
    assertThat(UnavailableReasons.of((Throwable) null)).isEqualTo("no answer");
    assertThat(UnavailableReasons.of(new CompletionException(new IOException("gone"))))
        .isEqualTo("gone");
    assertThat(UnavailableReasons.of(new JobReply.Refused(JOB, "too large")))
        .isEqualTo("too large");
  }
}
