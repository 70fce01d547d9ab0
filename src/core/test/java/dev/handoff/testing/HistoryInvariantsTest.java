package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.text.Ulid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The checks of a history")
class HistoryInvariantsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final ClaimingWorker BY = new ClaimingWorker(new PoolId("pool"), "worker-1");
  private static final JobPhase.CancelRequest REQUEST =
      new JobPhase.CancelRequest("why", "who", NOW);

  private final ObservedHistory history = new ObservedHistory();
  private final List<JobState> ends = new ArrayList<>();

  @Test
  void findNothingInAnOrdinaryLife() {
    var job = accepted(1, spec(2, "key"));
    happen(job, claimed(1));
    history.entered(job, 1);
    history.took("default");
    history.gave("default");
    history.left(job, 1);
    happen(job, again(1));
    happen(job, claimed(2));
    history.entered(job, 2);
    history.left(job, 2);
    happen(job, succeeded(2));
    history.told(ends.get(0));

    assertThat(violations()).isEmpty();
  }

  @Test
  void findAJobThatIsLost() {
    accepted(1, spec(2, null));

    assertThat(violations()).singleElement().asString().startsWith("I1");
  }

  @Test
  void findAJobThatNobodySubmitted() {
    ends.add(JobState.create(id(1), submitted(spec(2, null))).apply(cancelled()));

    assertThat(violations()).singleElement().asString().startsWith("I2");
  }

  @Test
  void takeASubmissionWithoutAnAnswerForWhatItMayHaveBecome() {
    history.unanswered(spec(2, null));
    ends.add(JobState.create(id(1), submitted(spec(2, null))).apply(cancelled()));

    assertThat(violations()).isEmpty();
  }

  @Test
  void findAKeyWithTwoJobs() {
    happen(accepted(1, spec(2, "key")), cancelled());
    happen(accepted(2, spec(2, "key")), cancelled());

    assertThat(violations()).isNotEmpty().allMatch(found -> found.startsWith("I3"));
  }

  @Test
  void findAttemptsThatDoNotRise() {
    var job = accepted(1, spec(3, null));
    happen(job, claimed(1), again(1), claimed(1), succeeded(1));

    assertThat(violations()).anyMatch(found -> found.startsWith("I4"));
  }

  @Test
  void findWhatAFormerAttemptBroughtAbout() {
    var job = accepted(1, spec(3, null));
    happen(job, claimed(1), again(1), claimed(2), succeeded(1));

    assertThat(violations()).singleElement().asString().startsWith("I5");
  }

  @Test
  void findAnEndThatDidNotLast() {
    var job = accepted(1, spec(3, null));
    happen(job, cancelled());
    history.told(ends.get(0));
    happen(job, claimed(1), succeeded(1));

    assertThat(violations()).anyMatch(found -> found.startsWith("I6 terminal is for ever"));
    assertThat(violations()).anyMatch(found -> found.startsWith("I6 an end has changed"));
  }

  @Test
  void findAnAttemptThatWasStartedTwice() {
    var job = accepted(1, spec(3, null));
    happen(job, claimed(1));
    history.entered(job, 1);
    history.entered(job, 1);
    happen(job, succeeded(1));

    assertThat(violations()).anyMatch(found -> found.startsWith("I8 an attempt"));
    assertThat(violations()).anyMatch(found -> found.startsWith("I8 a start without a cause"));
  }

  @Test
  void findASecondStartOfWhatMayStartOnce() {
    var job = accepted(1, spec(1, null));
    happen(job, claimed(1));
    history.entered(job, 1);
    history.entered(job, 2);
    happen(job, succeeded(1));

    assertThat(violations()).anyMatch(found -> found.startsWith("I9"));
  }

  @Test
  void findAHandlerThatRunsAlthoughItsJobIsCancelled() {
    var job = accepted(1, spec(1, null));
    happen(job, claimed(1));
    history.entered(job, 1);
    happen(job, new JobFact.CancelRequested(REQUEST), cancelled());
    history.told(ends.get(0));

    assertThat(violations()).singleElement().asString().startsWith("I12 runs");
  }

  @Test
  void findASuccessAfterACancel() {
    var job = accepted(1, spec(1, null));
    happen(job, claimed(1), new JobFact.CancelRequested(REQUEST), succeeded(1));

    assertThat(violations()).singleElement().asString().startsWith("I12 no success");
  }

  @Test
  void findALimitThatDidNotHold() {
    history.took("two");
    history.took("two");
    history.took("two");

    assertThat(new HistoryInvariants(history, ends).violations(Map.of("two", 2)))
        .singleElement()
        .asString()
        .startsWith("I13");
  }

  private List<String> violations() {
    return new HistoryInvariants(history, ends).violations(Map.of());
  }

  private JobId accepted(int number, JobSpec spec) {
    history.accepted(id(number), spec);
    history.written(id(number), submitted(spec));
    ends.add(JobState.create(id(number), submitted(spec)));
    return id(number);
  }

  private void happen(JobId job, JobFact... facts) {
    for (var fact : facts) {
      history.written(job, fact);
      ends.replaceAll(state -> state.id().equals(job) ? state.apply(fact) : state);
    }
  }

  private static JobId id(int number) {
    return new JobId(new Ulid(new Random(number)).next(NOW.toEpochMilli(), 0));
  }

  private static JobSpec spec(int maxAttempts, String key) {
    var options = new JobOptions(null, null, maxAttempts, Backoff.none(), Map.of());
    return new JobSpec("type", Json.NULL, "default", 0, key, null, options, null);
  }

  private static JobFact.Submitted submitted(JobSpec spec) {
    return new JobFact.Submitted(spec, NOW, false);
  }

  private static JobFact claimed(int attempt) {
    return new JobFact.Claimed(attempt, BY, NOW);
  }

  private static JobFact succeeded(int attempt) {
    return new JobFact.Succeeded(attempt, Json.NULL, AttemptNotes.NONE, NOW);
  }

  private static JobFact cancelled() {
    return new JobFact.Cancelled(REQUEST, false, false, List.of(), AttemptNotes.NONE, NOW);
  }

  private static JobFact again(int attempt) {
    var error = JobError.of("error", "message");
    var end =
        new JobFact.AttemptEnd(
            attempt, EndCause.FAILED, error, false, false, AttemptNotes.NONE, NOW);
    return new JobFact.RetryScheduled(end, NOW);
  }
}
