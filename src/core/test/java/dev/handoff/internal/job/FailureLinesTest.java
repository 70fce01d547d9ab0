package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import dev.handoff.JobError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("The line of a failed attempt")
class FailureLinesTest {

  private static final String STACK =
      "java.io.IOException: no\nin two lines\n\tat a.B.c(B.java:1)\n\tat evil\u001b[31m\n"
          + "\t... 3 more\n\tSuppressed: d.E: f\nCaused by: g.H: i\nno frame";
  private static final String FRAMES =
      "\n\tat a.B.c(B.java:1)\n\tat evil\\u001b[31m\n\t... 3 more\n\tSuppressed: d.E: f\n"
          + "Caused by: g.H: i";
  private static final JobError ERROR = new JobError("java.io.IOException", "no\npaper", STACK);

  private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.NAME);
  private final Level before = logger.getLevel();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final String begin =
      "job [%s] of type [thumbnail]: attempt [%%d] has failed, ".formatted(JobSituations.ID);

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.DEBUG);
    logger.setAdditive(false);
    logger.addAppender(lines);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(before);
  }

  private static JobFact.AttemptEnd end(int attempt, EndCause cause, JobError error) {
    return new JobFact.AttemptEnd(
        attempt, cause, error, false, false, AttemptNotes.NONE, JobSituations.NOW);
  }

  private static JobState after(JobState running, JobFact.AttemptEnd end) {
    return running.apply(new JobFact.RetryScheduled(end, JobSituations.NOW));
  }

  private String line() {
    assertThat(lines.list).hasSize(1);
    return lines.list.removeFirst().getFormattedMessage();
  }

  @Test
  void hasTheFramesOfItsStackAndNothingThatOnlyLooksLikeALine() {
    var end = end(1, EndCause.FAILED, ERROR);

    FailureLog.USUAL.again(after(JobSituations.running(), end), end, JobSituations.NOW, false);

    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(line())
        .isEqualTo(
            begin.formatted(1)
                + "the next one may begin at once: java.io.IOException: no\\u000apaper"
                + FRAMES);
  }

  @Test
  void saysWhenTheNextOneBegins() {
    var end = end(1, EndCause.FAILED, JobSituations.ERROR);
    var due = JobSituations.NOW.plusSeconds(5);

    FailureLog.USUAL.again(after(JobSituations.running(), end), end, due, false);

    assertThat(line())
        .isEqualTo(
            begin.formatted(1)
                + "the next one begins at 2026-03-01T12:00:05Z: java.io.IOException: no route to"
                + " host");
  }

  @Test
  void isForDebuggingWhereTheEngineHasToldOfIt() {
    var end = end(1, EndCause.WORKER_LOST, JobSituations.ERROR);

    FailureLog.USUAL.again(after(JobSituations.running(), end), end, JobSituations.NOW, true);

    assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.DEBUG);
  }

  @Test
  void namesTheAttemptThatHasFailedInTheSamePlace() {
    var first = end(1, EndCause.FAILED, ERROR);
    var second = end(2, EndCause.FAILED, ERROR);
    var other = end(3, EndCause.FAILED, new JobError("x", "y", "x: y\n\tat z.Z.z(Z.java:9)"));
    var once =
        after(JobSituations.running(), first)
            .apply(new JobFact.Claimed(2, JobSituations.WORKER, JobSituations.NOW));
    var twice = after(once, second);

    FailureLog.USUAL.forGood(twice, second, null);
    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.ERROR);
    assertThat(line())
        .isEqualTo(
            begin.formatted(2)
                + "and the job with it (attempt 2 of 3; not tried again: its attempts are used up):"
                + " java.io.IOException: no\\u000apaper (where attempt [1] has"
                + " failed)");

    var again = twice.apply(new JobFact.Claimed(3, JobSituations.WORKER, JobSituations.NOW));
    FailureLog.USUAL.forGood(after(again, other), other, null);
    assertThat(line()).endsWith("x: y\n\tat z.Z.z(Z.java:9)");
  }

  @Test
  void namesNoAttemptThatHadNoError() {
    var second = end(2, EndCause.FAILED, ERROR);
    var once =
        JobSituations.running()
            .apply(new JobFact.Returned(1, EndCause.SHUTDOWN, AttemptNotes.NONE, JobSituations.NOW))
            .apply(new JobFact.Claimed(2, JobSituations.WORKER, JobSituations.NOW));

    FailureLog.USUAL.forGood(after(once, second), second, null);

    assertThat(line()).endsWith(FRAMES);
  }

  @Test
  void hasTheCauseWhereTheHandlerHasNotFailed() {
    var end = end(1, EndCause.TIMED_OUT, JobError.of("timed-out", "ran longer"));

    FailureLog.USUAL.forGood(after(JobSituations.running(), end), end, JobSituations.timeOut(1));

    assertThat(line())
        .isEqualTo(
            begin.formatted(1)
                + "and the job with it (attempt 1 of 3; not tried again: its attempts are used up):"
                + " timed-out: ran longer");
  }

  @Test
  void saysWhyTheJobIsNotTriedAgain() {
    var end = end(1, EndCause.FAILED, JobSituations.ERROR);
    var after = after(JobSituations.running(), end);
    var why = new AttemptReport.Threw(JobSituations.ERROR, true, "a NonRetryableException");

    FailureLog.USUAL.forGood(after, end, JobSituations.report(1, why));
    assertThat(line()).contains("(attempt 1 of 3; not tried again: a NonRetryableException): ");
    FailureLog.USUAL.forGood(
        after, end, JobSituations.report(1, new AttemptReport.Threw(JobSituations.ERROR, true)));
    assertThat(line()).contains("not tried again: no second try can mend it): ");
    FailureLog.USUAL.forGood(after, end, new JobCommand.GiveUp(JobSituations.ERROR));
    assertThat(line()).contains("not tried again: the engine cannot go on with it): ");
  }

  @Test
  void isLeftOutWhereItIsOff() {
    var end = end(1, EndCause.FAILED, ERROR);
    var off = new FailureLog(null, null);

    off.again(JobSituations.queued(), end, JobSituations.NOW, false);
    off.forGood(JobSituations.queued(), end, null);
    logger.setLevel(Level.ERROR);
    FailureLog.USUAL.again(JobSituations.queued(), end, JobSituations.NOW, false);

    assertThat(lines.list).isEmpty();
  }

  @Test
  void hasTheLevelThatIsConfigured() {
    assertThat(from("off", "INFO")).isEqualTo(new FailureLog(null, org.slf4j.event.Level.INFO));
    assertThat(from("debug", "error"))
        .isEqualTo(new FailureLog(org.slf4j.event.Level.DEBUG, org.slf4j.event.Level.ERROR));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> from("warn", "loud"))
        .withMessage(
            "handoff.log.failed-job must be one of off, debug, info, warn, error, was loud");
  }

  private static FailureLog from(String attempt, String job) {
    return FailureLog.from(
        ConfigFactory.parseString(
            "log { failed-attempt = %s, failed-job = %s }".formatted(attempt, job)));
  }
}
