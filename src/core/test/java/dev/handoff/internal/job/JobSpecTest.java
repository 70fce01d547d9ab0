package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.RetryRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A specification")
class JobSpecTest {

  private static final JobOptions OPTIONS = options(Map.of("team", "a", "zone", "b"));
  private static final JobSpec SPEC = spec("mail", "1", "out", 2, "k", null, OPTIONS);

  @Test
  void hasTheSameContentAsAnEqualOne() {
    var equal = spec("mail", "1", "out", 2, "k", null, options(Map.of("zone", "b", "team", "a")));

    assertThat(SPEC.hasSameContent(equal)).isTrue();
    assertThat(SPEC.fingerprint()).isEqualTo(equal.fingerprint()).hasSize(24);
  }

  @Test
  void hasTheSameContentWheneverItMayRun() {
    var later = spec("mail", "1", "out", 2, "k", JobSituations.NOW, OPTIONS);

    assertThat(SPEC.hasSameContent(later)).isTrue();
    assertThat(SPEC.fingerprint()).isEqualTo(later.fingerprint());
  }

  @Test
  void hasOtherContentWhenAnythingElseDiffers() {
    var others =
        List.of(
            spec("post", "1", "out", 2, "k", null, OPTIONS),
            spec("mail", "2", "out", 2, "k", null, OPTIONS),
            spec("mail", "1", "in", 2, "k", null, OPTIONS),
            spec("mail", "1", "out", 3, "k", null, OPTIONS),
            spec("mail", "1", "out", 2, "l", null, OPTIONS),
            spec("mail", "1", "out", 2, null, null, OPTIONS),
            spec("mail", "1", "out", 2, "k", null, JobOptions.DEFAULT),
            spec("mail", "1", "out", 2, "k", null, options(Map.of("team", "a"))));

    assertThat(others)
        .allSatisfy(
            other -> {
              assertThat(SPEC.hasSameContent(other)).isFalse();
              assertThat(SPEC.fingerprint()).isNotEqualTo(other.fingerprint());
            });
    assertThat(SPEC.hasSameContent(SPEC.childOf(JobSituations.ID))).isFalse();
  }

  /// A child keeps the fingerprint of its request, and a later version must recognize the same
  /// request: so fingerprints never change.
  @Test
  void hasTheFingerprintThatItAlwaysHad() {
    assertThat(SPEC.fingerprint()).isEqualTo("76ac3a623c6fe0f45da3d0ca");
    var rule = RetryRule.never(IllegalStateException.class);
    var ruled = new JobOptions(null, null, 3, Backoff.DEFAULT, Map.of(), rule);
    assertThat(spec("mail", "1", "out", 2, "k", null, ruled).fingerprint())
        .isNotEqualTo(spec("mail", "1", "out", 2, "k", null, options()).fingerprint());
  }

  @Test
  void ofAChildHasAKeyOnlyWithinItsParent() {
    var child = SPEC.childOf(JobSituations.ID);

    assertThat(SPEC.uniqueKey()).isEqualTo("k");
    assertThat(child.uniqueKey()).isNull();
    assertThat(child.origin()).isEqualTo(new JobOrigin(JobSituations.ID, null, null));
  }

  @Test
  void sharesWhatManyJobsHaveInCommon() {
    var one = spec(new String("mail"), "1", new String("out"), 0, null, null, options());
    var two = spec(new String("mail"), "2", new String("out"), 0, null, null, options());

    assertThat(one.type()).isSameAs(two.type());
    assertThat(one.queue()).isSameAs(two.queue());
    assertThat(one.options()).isSameAs(JobOptions.DEFAULT);
  }

  @Test
  void isLeftOutOfWhatIsStoredAsFarAsItIsUsual() {
    assertThat(new JobOptions.Usual())
        .isEqualTo(JobOptions.DEFAULT)
        .hasSameHashCodeAs(JobOptions.DEFAULT);
    assertThat(new JobSpec.UsualQueue()).isEqualTo("default").hasSameHashCodeAs("default");
    assertThat(new AttemptNotes.Nothing())
        .isEqualTo(AttemptNotes.NONE)
        .hasSameHashCodeAs(AttemptNotes.NONE);
    assertThat(new JobTrail.Nothing()).isEqualTo(JobTrail.NONE).hasSameHashCodeAs(JobTrail.NONE);
  }

  private static JobOptions options() {
    return new JobOptions(null, null, 3, Backoff.DEFAULT, Map.of());
  }

  private static JobOptions options(Map<String, String> labels) {
    return new JobOptions(Duration.ofSeconds(1), null, 3, Backoff.none(), labels);
  }

  private static JobSpec spec(
      String type,
      String payload,
      String queue,
      int priority,
      @Nullable String key,
      @Nullable Instant runAt,
      JobOptions options) {
    return new JobSpec(type, Json.of(payload), queue, priority, key, runAt, options, null);
  }
}
