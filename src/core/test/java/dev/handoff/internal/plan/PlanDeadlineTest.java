package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The deadline of a plan")
class PlanDeadlineTest {

  private static final Instant SINCE = Instant.parse("2030-01-01T00:00:00Z");
  private static final long NANOS = -7;

  @ParameterizedTest(name = "of {0}, {1} after its begin: {2}")
  @CsvSource({
    "PT5M, PT0S, PT5M",
    "PT5M, PT2M, PT3M",
    "PT5M, PT4M, PT1M",
    "PT5M, PT4M0.001S, PT1M",
    "PT5M, PT1H, PT1M",
    "PT5M, PT-0.001S, PT5M",
    "PT5M, PT-1H, PT5M",
    "PT10S, PT5S, PT10S",
    "PT10S, PT1H, PT10S",
    "PT1M, PT1H, PT1M",
  })
  void leavesWhatIsNotUsedButAMinuteAtLeast(Duration whole, Duration used, Duration left) {
    var deadline = PlanDeadline.of(SINCE, whole, SINCE.plus(used), NANOS);

    assertThat(deadline.left(NANOS)).isEqualTo(left);
    assertThat(deadline.since()).isEqualTo(SINCE);
  }

  @Test
  void isOverWhenTheTimeHasGoneBy() {
    var deadline = PlanDeadline.of(SINCE, Duration.ofMinutes(5), SINCE, NANOS);
    long end = NANOS + Duration.ofMinutes(5).toNanos();

    assertThat(deadline.left(end - 1)).isEqualTo(Duration.ofNanos(1));
    assertThat(deadline.left(end)).isZero();
    assertThat(deadline.left(end + 1)).isZero();
  }
}
