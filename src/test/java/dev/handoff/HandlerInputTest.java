package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.job.Json;
import dev.handoff.testing.Held;
import dev.handoff.testing.Home;
import dev.handoff.testing.Soon;
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

/// Whatever a handler or an operator says: the same on every store, and never in the way of others.
@DisplayName("What comes of a handler")
class HandlerInputTest {

  private static final String BAD = "a\0b\ud800c\u202ed";
  private static final String CLEAN = "a\ufffdb\ufffdc\u202ed";

  private static final Map<Home.Kind, Home> HOMES = new EnumMap<>(Home.Kind.class);
  private static final Map<Home.Kind, Handoff> ENGINES = new EnumMap<>(Home.Kind.class);
  private static final Map<Home.Kind, Held> HANDLERS = new EnumMap<>(Home.Kind.class);

  @BeforeAll
  static void start() {
    for (var kind : Home.Kind.values()) {
      HOMES.put(kind, Home.of(kind));
      HANDLERS.put(kind, new Held());
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
    HOMES.values().forEach(Home::close);
  }

  private static Held.Attempt running(Home.Kind kind) {
    ENGINES.get(kind).submitOrThrow(JobRequest.of("t").maxAttempts(1));
    return HANDLERS.get(kind).next();
  }

  private static Outcome end(Home.Kind kind, Held.Attempt attempt) {
    return Soon.get(ENGINES.get(kind).handle(attempt.job().id()).result());
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
    for (var kind : Home.Kind.values()) {
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
    for (var kind : Home.Kind.values()) {
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
  void asTextIsMadeFitToBeKept(Home.Kind kind) {
    var attempt = running(kind);
    attempt.job().log(BAD);
    attempt.job().progress(0.5, BAD);

    attempt.fail(BAD + "x".repeat(10_000_000));

    var failed = (Outcome.Failed) end(kind, attempt);
    assertThat(failed.error().message()).startsWith(CLEAN).hasSizeLessThanOrEqualTo(4_096);
    var job = Soon.get(ENGINES.get(kind).handle(attempt.job().id()).status());
    assertThat(job.log()).isEqualTo(List.of(CLEAN));
    assertThat(job.progress()).get().extracting(JobProgress::message).isEqualTo(CLEAN);
  }

  @ParameterizedTest
  @EnumSource
  void andOfAnOperatorAsWell(Home.Kind kind) {
    var handoff = ENGINES.get(kind);
    var attempt = running(kind);
    var job = attempt.job().id();
    attempt.fail("once");
    Soon.get(handoff.handle(job).result());

    assertThat(Soon.get(handoff.retry(job, BAD))).isInstanceOf(RetryAnswer.Reopened.class);
    HANDLERS.get(kind).next();
    var report = Soon.get(handoff.cancel(job, BAD + "y".repeat(100_000), BAD).ended());

    assertThat(report).isInstanceOf(CancelReport.Cancelled.class);
    var outcome = (Outcome.Cancelled) Soon.get(handoff.handle(job).result());
    assertThat(outcome.reason()).startsWith(CLEAN).hasSizeLessThanOrEqualTo(1_024);
    var history = Soon.get(handoff.handle(job).status()).history();
    assertThat(history)
        .filteredOn(entry -> entry.what().equals("reopened"))
        .singleElement()
        .extracting(HistoryEntry::by)
        .isEqualTo(Optional.of(CLEAN));
  }
}
