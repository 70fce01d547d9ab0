package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The window of a breaker")
class CallWindowTest {

  private static final BreakerRule.Rates RATES =
      new BreakerRule.Rates(50, 40, Duration.ofSeconds(5), Duration.ofSeconds(10), 4);
  private static final Instant NOW = Instant.ofEpochSecond(1_000);

  private static CallWindow with(CallWindow window, int second, boolean failed, boolean slow) {
    return window.plus(RATES, NOW.plusSeconds(second), failed, slow);
  }

  private static CallWindow good(CallWindow window, int second) {
    return with(window, second, false, false);
  }

  private static int calls(CallWindow window) {
    return window.slices().stream().mapToInt(CallWindow.Slice::calls).sum();
  }

  @Test
  void countsTheCallsOfATenthInOneSlice() {
    var window = CallWindow.EMPTY.plus(RATES, NOW, true, false);
    window = window.plus(RATES, NOW.plusMillis(999), false, true);
    window = window.plus(RATES, NOW.plusMillis(1_000), false, false);

    assertThat(window.slices())
        .containsExactly(
            new CallWindow.Slice(1_000, 2, 1, 1), new CallWindow.Slice(1_001, 1, 0, 0));
  }

  @Test
  void looksBackAtTenSlices() {
    var window = good(good(good(CallWindow.EMPTY, 0), 1), 9);
    assertThat(calls(window)).isEqualTo(3);

    assertThat(good(window, 10).slices())
        .extracting(CallWindow.Slice::number)
        .containsExactly(1_001L, 1_009L, 1_010L);
    assertThat(calls(good(window, 100))).isEqualTo(1);
  }

  @Test
  void forgetsWhatIsToComeWhenTheClockIsSetBack() {
    var window = good(good(CallWindow.EMPTY, 0), 5);

    assertThat(good(window, 3).slices())
        .extracting(CallWindow.Slice::number)
        .containsExactly(1_000L, 1_003L);
  }

  @Test
  void countsNothingWhereThereAreNoRates() {
    var off = new BreakerRule.Rates(0, 0, Duration.ofSeconds(5), Duration.ofSeconds(10), 1);

    assertThat(CallWindow.EMPTY.plus(off, NOW, true, true)).isSameAs(CallWindow.EMPTY);
    assertThat(with(CallWindow.EMPTY, 0, true, true).complaint(off)).isEmpty();
  }

  @Test
  void complainsWhenARateIsReachedByEnoughCalls() {
    var three = with(with(with(CallWindow.EMPTY, 0, true, false), 0, true, false), 0, false, false);
    assertThat(three.complaint(RATES)).isEmpty();

    assertThat(good(three, 1).complaint(RATES)).hasValue("2 of the last 4 calls failed");
    assertThat(good(good(three, 1), 1).complaint(RATES)).isEmpty();
  }

  @Test
  void complainsOfSlowCallsIfNotTooManyFailed() {
    var window = with(with(CallWindow.EMPTY, 0, false, true), 0, true, true);
    window = good(good(good(window, 1), 1), 1);

    assertThat(window.complaint(RATES)).hasValue("2 of the last 5 calls took longer than 5s");
    assertThat(good(window, 1).complaint(RATES)).isEmpty();
  }

  @Test
  void complainsOfNothingThatIsNoMatter() {
    var slow = new BreakerRule.Rates(0, 100, Duration.ofSeconds(5), Duration.ofSeconds(10), 1);
    var failed = new BreakerRule.Rates(100, 0, Duration.ofSeconds(5), Duration.ofSeconds(10), 1);

    assertThat(good(CallWindow.EMPTY, 0).complaint(slow)).isEmpty();
    assertThat(good(CallWindow.EMPTY, 0).complaint(failed)).isEmpty();
    assertThat(with(CallWindow.EMPTY, 0, true, false).complaint(slow)).isEmpty();
    assertThat(with(CallWindow.EMPTY, 0, false, true).complaint(failed)).isEmpty();
    assertThat(with(CallWindow.EMPTY, 0, true, false).complaint(failed)).isPresent();
  }
}
