package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.NonRetryableException;
import dev.handoff.Outcome;
import dev.handoff.RetryAnswer;
import dev.handoff.RetryRule;
import dev.handoff.StoreSettings;
import dev.handoff.Submission;
import dev.handoff.context.ContextAnswer;
import dev.handoff.context.NotAssembledException;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.testing.BoundedWaits;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A job whose attempt fails")
class RetryChoiceTest {

  private static final Map<String, Exception> FAILURES =
      Map.of(
          "file", new FileNotFoundException("a.png"),
          "io", new IOException("no route"),
          "wrapped", new UncheckedIOException(new FileNotFoundException("a.png")),
          "state", new IllegalStateException("no"),
          "for-good", new NonRetryableException("card refused"),
          "for-good-inside", new ExecutionException(new NonRetryableException("card refused")),
          "not-installed", new NotAssembledException(new ContextAnswer.NotInstalled("g:a")),
          "circle", circle());

  private static Handoff handoff;

  @BeforeAll
  static void start() {
    handoff =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .handler("fail", String.class, (which, job) -> fail(which))
            .start();
  }

  @AfterAll
  static void stop() {
    handoff.close();
  }

  private static Object fail(String which) throws Exception {
    throw FAILURES.get(which);
  }

  private static Exception circle() {
    var first = new Exception("first");
    first.initCause(new Exception("second", first));
    return first;
  }

  private static int attempts(String failure, @Nullable RetryRule rule) {
    var request = JobRequest.of("fail", failure).maxAttempts(3).backoff(Backoff.none());
    var job = handoff.submitOrThrow(rule == null ? request : request.retryIf(rule));
    assertThat(BoundedWaits.get(job.result())).isInstanceOf(Outcome.Failed.class);
    return BoundedWaits.get(job.status()).attempt();
  }

  static Stream<Arguments> cases() {
    var onlyIo = RetryRule.only(IOException.class);
    var io = onlyIo.butNever(FileNotFoundException.class);
    return Stream.of(
        Arguments.of("state", null, 3),
        Arguments.of("circle", null, 3),
        Arguments.of("for-good", null, 1),
        Arguments.of("for-good-inside", null, 1),
        Arguments.of("not-installed", null, 1),
        Arguments.of("for-good", RetryRule.only(RuntimeException.class), 1),
        Arguments.of("io", onlyIo, 3),
        Arguments.of("file", onlyIo, 3),
        Arguments.of("wrapped", onlyIo, 3),
        Arguments.of("state", onlyIo, 1),
        Arguments.of("circle", onlyIo, 1),
        Arguments.of("io", io, 3),
        Arguments.of("file", io, 1),
        Arguments.of("wrapped", io, 1),
        Arguments.of("state", RetryRule.never(RuntimeException.class), 1),
        Arguments.of("io", RetryRule.never(RuntimeException.class), 3));
  }

  @ParameterizedTest(name = "as {0} under {1} has {2} attempts")
  @MethodSource("cases")
  void isTriedAgainAsItsRuleSays(String failure, @Nullable RetryRule rule, int attempts) {
    assertThat(attempts(failure, rule)).isEqualTo(attempts);
  }

  @Test
  void ofWhichNoSecondTryCanMendItHasEndedWithItsOwnError() {
    var job = handoff.submitOrThrow(JobRequest.of("fail", "for-good"));

    var failed = (Outcome.Failed) BoundedWaits.get(job.result());

    assertThat(failed.error().type()).isEqualTo(NonRetryableException.class.getName());
    assertThat(failed.error().message()).isEqualTo("card refused");
  }

  @Test
  void isOpenedAgainByAnOperatorAllTheSame() {
    var job = handoff.submitOrThrow(JobRequest.of("fail", "for-good"));
    BoundedWaits.get(job.result());

    assertThat(BoundedWaits.get(handoff.retry(job.id(), "ann")))
        .isInstanceOf(RetryAnswer.Reopened.class);
  }

  @Test
  void isJudgedByWhatAStageHasFailedWith() {
    var choice = new RetryChoice(IOException.class::isInstance);
    var spec = new JobSpec("x", Json.NULL, "q", 0, null, null, JobOptions.DEFAULT, null);

    assertThat(choice.whyNot(new CompletionException(new IOException("no")), spec)).isNull();
    assertThat(choice.whyNot(new CompletionException(new IllegalStateException("no")), spec))
        .isEqualTo("excluded by the retryIf of its type");
  }

  @Test
  void cannotHaveARuleOfWhatAreNoClasses() {
    var many = Stream.iterate("x.Y", name -> name + "Y").limit(21).toList();
    var request = JobRequest.of("fail", "io");

    assertThat(
            BoundedWaits.get(
                handoff.submit(request.retryIf(new RetryRule(List.of("no route"), many)))))
        .isEqualTo(
            new Submission.Invalid(
                List.of(
                    "retryIf.only: \"no route\" is not the name of a class, such as"
                        + " java.io.IOException",
                    "retryIf.never names 21 classes, at most 20")));
  }
}
