package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.handoff.internal.job.FailureLog;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

@DisplayName("The log")
class FailureLogTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.NAME);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private Handoff handoff;

  @BeforeEach
  void listen() {
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.setLevel(Level.DEBUG);
    logger.setAdditive(false);
    logger.addAppender(lines);
    handoff = builder().start();
  }

  private static HandoffBuilder builder() {
    return Handoff.builder()
        .store(new StoreSettings.Memory())
        .handler("fail", String.class, (message, job) -> fail(message))
        .handler("hopeless", Json.class, (payload, job) -> hopeless())
        .handler(
            "picky", Json.class, (payload, job) -> fail("no"), type -> type.retryIf(e -> false))
        .handler("later", Json.class, (payload, job) -> later(job))
        .handler("context", Json.class, (payload, job) -> MDC.getCopyOfContextMap())
        .handler(
            "slow", Json.class, (payload, job) -> job.cancellation().await(BoundedWaits.PATIENCE));
  }

  private static Object fail(String message) {
    throw new IllegalStateException(message);
  }

  private static Object hopeless() {
    throw new IllegalStateException(new NonRetryableException("card refused"));
  }

  private static Object later(JobContext job) {
    if (job.attempt() == 1) {
      job.later(Duration.ZERO);
    }
    return null;
  }

  @AfterEach
  void stop() {
    handoff.close();
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(Level.OFF);
  }

  private JobHandle ended(JobRequest request) {
    var job = handoff.submitOrThrow(request.backoff(Backoff.none()));
    BoundedWaits.get(job.result());
    return job;
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void hasALineForEachFailedAttemptAndTheStackOnce() {
    var job = ended(JobRequest.of("fail", "no paper\nERROR forged").maxAttempts(3));

    var begin = "job [%s] of type [fail]: attempt [%d] has failed, ";
    assertThat(lines.list)
        .extracting(ILoggingEvent::getLevel)
        .containsExactly(Level.WARN, Level.WARN, Level.ERROR);
    assertThat(said().get(0))
        .startsWith(begin.formatted(job.id(), 1) + "the next one may begin at once: ")
        .contains("java.lang.IllegalStateException: no paper", "\n\tat ", "FailureLogTest.fail")
        .doesNotContain("\nERROR forged");
    assertThat(said().get(1))
        .startsWith(begin.formatted(job.id(), 2))
        .endsWith("(where attempt [1] has failed)")
        .doesNotContain("\n");
    assertThat(said().get(2))
        .startsWith(
            begin.formatted(job.id(), 3)
                + "and the job with it (attempt 3 of 3; not tried again: its attempts are used up):"
                + " ")
        .doesNotContain("\n");
  }

  @Test
  void saysWhyAJobIsNotTriedAgain() {
    ended(
        JobRequest.of("fail", "no")
            .maxAttempts(4)
            .retryIf(RetryRule.never(RuntimeException.class)));
    ended(JobRequest.of("hopeless").maxAttempts(2));
    ended(JobRequest.of("picky").maxAttempts(2));

    var not = "the job with it (attempt 1 of %d; not tried again: %s): ";
    assertThat(said().get(0)).contains(not.formatted(4, "excluded by its retryIf"));
    assertThat(said().get(1)).contains(not.formatted(2, "a NonRetryableException"));
    assertThat(said().get(2)).contains(not.formatted(2, "excluded by the retryIf of its type"));
  }

  @Test
  void saysWhenTheNextAttemptBegins() {
    var job =
        handoff.submitOrThrow(
            JobRequest.of("fail", "no").backoff(Backoff.fixed(Duration.ofDays(1))));
    BoundedWaits.until("it has failed once", () -> !lines.list.isEmpty());

    var due = BoundedWaits.get(job.status()).nextRunAt().orElseThrow();
    assertThat(said().getFirst()).contains("the next one begins at " + due);
  }

  @Test
  void namesATimeoutAsWhatItIs() {
    ended(JobRequest.of("slow").timeout(Duration.ofMillis(50)).maxAttempts(1));

    assertThat(said())
        .singleElement()
        .asString()
        .contains("timed-out: ran longer than")
        .doesNotContain("\n");
  }

  @Test
  void hasNothingOfAnAttemptThatHasNotFailed() {
    ended(JobRequest.of("later"));

    assertThat(lines.list).isEmpty();
  }

  @Test
  void hasTheLevelsThatAreSet() {
    try (var quiet =
        builder().set("log.failed-attempt", "off").set("log.failed-job", "info").start()) {
      var request = JobRequest.of("fail", "no").maxAttempts(2).backoff(Backoff.none());
      BoundedWaits.get(quiet.submitOrThrow(request).result());
    }

    assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO);
  }

  @Test
  void knowsOnAHandlersThreadWhoseItIs() {
    var job = handoff.submitOrThrow(JobRequest.of("context"));
    var plan =
        handoff.plans().submitOrThrow(PlanRequest.of("p").step("s", JobRequest.of("context")));

    assertThat(context(job))
        .isEqualTo(
            "{\"handoff.attempt\":\"1\",\"handoff.job\":\"%s\",\"handoff.type\":\"context\"}"
                .formatted(job.id()));
    BoundedWaits.get(plan.result());
    var steps = JobFilter.ALL.type("context");
    var step = BoundedWaits.get(handoff.jobs(steps, Optional.empty(), 10)).jobs().getFirst();
    assertThat(context(handoff.handle(step.id())))
        .contains("\"handoff.plan\":\"%s\"".formatted(plan.id()));
  }

  private static String context(JobHandle job) {
    return String.valueOf(((Outcome.Succeeded) BoundedWaits.get(job.result())).value());
  }
}
