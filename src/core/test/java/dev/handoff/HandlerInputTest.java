package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Text of handlers and operators gives the same result on every store, and never disturbs other
/// jobs.
@DisplayName("What comes of a handler")
class HandlerInputTest {

  private static final String BAD = "a\0b\ud800c\u202ed";
  private static final String CLEAN = "a\ufffdb\ufffdc\u202ed";

  private static final Map<StoreDirectory.Kind, StoreDirectory> HOMES =
      new EnumMap<>(StoreDirectory.Kind.class);
  private static final Map<StoreDirectory.Kind, Handoff> ENGINES =
      new EnumMap<>(StoreDirectory.Kind.class);
  private static final Map<StoreDirectory.Kind, HeldHandler> HANDLERS =
      new EnumMap<>(StoreDirectory.Kind.class);

  @BeforeAll
  static void start() {
    for (var kind : StoreDirectory.Kind.values()) {
      HOMES.put(kind, StoreDirectory.of(kind));
      HANDLERS.put(kind, new HeldHandler());
      ENGINES.put(
          kind,
          Handoff.builder()
              .store(HOMES.get(kind).store())
              .partitions(1)
              .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
              .handler("t", Json.class, HANDLERS.get(kind))
              .start());
    }
  }

  @AfterAll
  static void stop() {
    ENGINES.values().forEach(Handoff::close);
    HOMES.values().forEach(StoreDirectory::close);
  }

  private static HeldHandler.Attempt running(StoreDirectory.Kind kind) {
    ENGINES.get(kind).submitOrThrow(JobRequest.of("t").maxAttempts(1));
    return HANDLERS.get(kind).next();
  }

  private static Outcome end(StoreDirectory.Kind kind, HeldHandler.Attempt attempt) {
    return BoundedWaits.get(ENGINES.get(kind).handle(attempt.job().id()).result());
  }

  static Stream<Arguments> unfit() {
    var cycle = new TreeMap<String, Object>();
    cycle.put("self", cycle);
    return Stream.of(
        arguments("257 KiB", "x".repeat(257 * 1024), "larger than 262144 bytes"),
        arguments("a cycle", cycle, "cannot be written as JSON"),
        arguments("a NUL", "a\0b", "is not JSON"),
        arguments("half a character", "a\ud800b", "half a surrogate pair"),
        arguments("a number beyond all", Json.of("1e999999999"), "is not JSON"),
        arguments("depth", Json.of("[".repeat(100_000)), "is not JSON"),
        arguments("a name twice", Json.of("{\"a\":1,\"a\":2}"), "is not JSON"),
        arguments("broken UTF-8", Json.owned(new byte[] {'"', -1, '"'}), "is not JSON"));
  }

  @ParameterizedTest(name = "as a result is refused with {0}")
  @MethodSource("unfit")
  void asAResultFailsItsAttempt(String what, Object value, String why) {
    for (var kind : StoreDirectory.Kind.values()) {
      var attempt = running(kind);

      attempt.succeed(value);

      assertThat(end(kind, attempt))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.error().message()).contains("result", why));
    }
  }

  @ParameterizedTest(name = "as a checkpoint is refused with {0}")
  @MethodSource("unfit")
  void asACheckpointIsRefusedAndTheAttemptGoesOn(String what, Object value, String why) {
    for (var kind : StoreDirectory.Kind.values()) {
      var attempt = running(kind);

      assertThatThrownBy(() -> attempt.job().checkpoint(value))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContainingAll("checkpoint", why);
      attempt.succeed(1);

      assertThat(end(kind, attempt)).isEqualTo(new Outcome.Succeeded(Json.of("1")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void asTextIsMadeFitToBeKept(StoreDirectory.Kind kind) {
    var attempt = running(kind);
    attempt.job().log(BAD);
    attempt.job().progress(0.5, BAD);

    attempt.fail(BAD + "x".repeat(10_000_000));

    var failed = (Outcome.Failed) end(kind, attempt);
    assertThat(failed.error().message()).startsWith(CLEAN).hasSizeLessThanOrEqualTo(4_096);
    var job = BoundedWaits.get(ENGINES.get(kind).handle(attempt.job().id()).status());
    assertThat(job.log()).isEqualTo(List.of(CLEAN));
    assertThat(job.progress()).get().extracting(JobInfo.Progress::message).isEqualTo(CLEAN);
  }

  @ParameterizedTest
  @EnumSource
  void andOfAnOperatorAsWell(StoreDirectory.Kind kind) {
    var handoff = ENGINES.get(kind);
    var attempt = running(kind);
    var job = attempt.job().id();
    attempt.fail("once");
    BoundedWaits.get(handoff.handle(job).result());

    assertThat(BoundedWaits.get(handoff.retry(job, BAD))).isInstanceOf(RetryAnswer.Reopened.class);
    HANDLERS.get(kind).next();
    var report = BoundedWaits.get(handoff.cancel(job, BAD + "y".repeat(100_000), BAD).ended());

    assertThat(report).isInstanceOf(CancelReport.Cancelled.class);
    var outcome = (Outcome.Cancelled) BoundedWaits.get(handoff.handle(job).result());
    assertThat(outcome.reason()).startsWith(CLEAN).hasSizeLessThanOrEqualTo(1_024);
    var history = BoundedWaits.get(handoff.handle(job).status()).history();
    assertThat(history)
        .filteredOn(entry -> entry.what().equals("reopened"))
        .singleElement()
        .extracting(JobInfo.HistoryEntry::by)
        .isEqualTo(Optional.of(CLEAN));
  }
}
