package dev.handoff.internal.job;

import static dev.handoff.RetryRule.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Json;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The fingerprint of what a job was asked to do")
class ContentFingerprintTest {

  private static final JobOptions OPTIONS = JobOptions.DEFAULT;

  private static JobSpec spec(String type, String payload, String queue, int priority, String key) {
    return new JobSpec(type, Json.of(payload), queue, priority, key, null, OPTIONS, null);
  }

  private static JobSpec with(JobOptions options) {
    return new JobSpec("t", Json.of("1"), "q", 0, "k", null, options, null);
  }

  private static JobOptions labels(Map<String, String> labels) {
    return new JobOptions(null, null, 3, OPTIONS.backoff(), labels);
  }

  @Test
  void isTheSameForTheSameContentWheneverItIsToRun() {
    var spec = spec("t", "1", "q", 0, "k");
    var later = new JobSpec("t", Json.of("1"), "q", 0, "k", Instant.MAX, OPTIONS, null);

    assertThat(ContentFingerprint.of(later)).isEqualTo(ContentFingerprint.of(spec)).hasSize(32);
    assertThat(ContentFingerprint.of(with(labels(Map.of("a", "1", "b", "2")))))
        .isEqualTo(ContentFingerprint.of(with(labels(Map.of("b", "2", "a", "1")))));
  }

  @Test
  void isAnotherForEachOtherContent() {
    var all =
        List.of(
            spec("t", "1", "q", 0, "k"),
            spec("u", "1", "q", 0, "k"),
            spec("t", "2", "q", 0, "k"),
            spec("t", "1", "r", 0, "k"),
            spec("t", "1", "q", 1, "k"),
            spec("t", "1", "q", 0, "l"),
            with(new JobOptions(Duration.ofSeconds(1), null, 3, OPTIONS.backoff(), Map.of())),
            with(new JobOptions(null, Duration.ofSeconds(1), 3, OPTIONS.backoff(), Map.of())),
            with(new JobOptions(null, null, 4, OPTIONS.backoff(), Map.of())),
            with(new JobOptions(null, null, 3, Backoff.none(), Map.of())),
            with(new JobOptions(null, null, 3, OPTIONS.backoff(), Map.of(), only(Exception.class))),
            with(new JobOptions(null, null, 3, OPTIONS.backoff(), Map.of(), only(Error.class))),
            spec("t", "1", "q", 0, "k").stepOf("p", "s"),
            spec("tq", "1", "", 0, "k"),
            spec("", "1", "tq", 0, "k"),
            with(labels(Map.of("a", "1"))),
            with(labels(Map.of("b", "1"))),
            with(labels(Map.of("a", "2"))),
            with(labels(Map.of("a", "b, c=d"))),
            with(labels(Map.of("a", "b", "c", "d"))));

    assertThat(all.stream().map(ContentFingerprint::of)).doesNotHaveDuplicates();
  }

  /// A component missing from the fingerprint makes two different jobs equal. A new component must
  /// be added to the fingerprint and to this list, unless it is like `runAt`.
  @Test
  void knowsEveryPartOfTheContent() {
    assertThat(parts(JobSpec.class))
        .containsExactly(
            "type", "payload", "queue", "priority", "key", "runAt", "options", "origin");
    assertThat(parts(JobOptions.class))
        .containsExactly(
            "timeout", "heartbeatTimeout", "maxAttempts", "backoff", "labels", "retryIf");
  }

  private static List<String> parts(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
  }
}
