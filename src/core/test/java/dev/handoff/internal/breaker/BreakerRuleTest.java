package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.typesafe.config.ConfigException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a breaker goes by")
class BreakerRuleTest {

  /// Minimum and maximum of each key, and the values just beyond them.
  @ParameterizedTest(name = "{0} from {1} to {2}")
  @CsvSource({
    "failure-threshold, 1, 1000000, 0, 1000001",
    "failure-rate, 0, 100, -1, 101",
    "slow-rate, 0, 100, -1, 101",
    "minimum-calls, 1, 1000000, 0, 1000001",
    "trial-calls, 1, 1000, 0, 1001",
    "slow-after, 1ms, 80d, 999us, 6912000001ms",
    "window, 10ms, 80d, 9ms, 6912000001ms",
    "trial-deadline, 1ms, 80d, 0ms, 6912000001ms",
    "lost-after, 1ms, 80d, 0ms, 6912000001ms"
  })
  void hasBounds(String key, String least, String most, String less, String more) {
    assertThat(BreakerRules.rule(key + " = " + least))
        .isNotEqualTo(BreakerRules.rule(key + " = " + most));
    for (var beyond : new String[] {less, more}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BreakerRules.rule(key + " = " + beyond))
          .withMessageStartingWith("handoff.breakers.default." + key + " must be ");
    }
  }

  @Test
  void isOpenForSomeTimeAndAtMostForMore() {
    assertThat(BreakerRules.rule("open-for = 1ms, open-for-most = 1ms").opening().first())
        .hasMillis(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BreakerRules.rule("open-for = 2ms, open-for-most = 1ms"))
        .withMessage(
            "handoff.breakers.default.open-for-most must be at least open-for (2ms), was 1ms");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BreakerRules.rule("open-for = 0ms"))
        .withMessageContaining("open-for must be 1ms to 80d");
  }

  @Test
  void callsSlowWhatTakesLonger() {
    var rule = BreakerRules.rule("slow-after = 1s");

    assertThat(rule.isSlow(Duration.ofSeconds(1))).isFalse();
    assertThat(rule.isSlow(Duration.ofSeconds(1).plusNanos(1))).isTrue();
  }

  @Test
  void hasRatesOrNot() {
    assertThat(BreakerRules.rule("failure-rate = 0, slow-rate = 0").rates().areOff()).isTrue();
    assertThat(BreakerRules.rule("failure-rate = 1, slow-rate = 0").rates().areOff()).isFalse();
    assertThat(BreakerRules.rule("failure-rate = 0, slow-rate = 1").rates().areOff()).isFalse();
  }

  @Test
  void isThatOfItsNameIfItHasOne() {
    var settings =
        BreakerRules.settings(
            """
            breakers.default.failure-threshold = 7
            breakers.named.search.failure-threshold = 8
            breakers.named."a.b".failure-threshold = 9
            breakers.named."a.b".trial-calls = 2
            """);

    assertThat(settings.rule("other").failureThreshold()).isEqualTo(7);
    assertThat(settings.rule("search").failureThreshold()).isEqualTo(8);
    assertThat(settings.rule("a.b").failureThreshold()).isEqualTo(9);
    assertThat(settings.rule("a.b").trials().calls()).isEqualTo(2);
    assertThat(settings.rule("a.b").lostAfter()).isEqualTo(settings.standard().lostAfter());
  }

  @Test
  void isRefusedWithTheKeyThatIsWrong() {
    refused("breakers.named.search.trial-calls = 0", "handoff.breakers.named.search.trial-calls");
    refused("breakers.named.\"no name\".trial-calls = 1", "handoff.breakers.named \"no name\"");
    assertThat(
            catchThrowable(() -> BreakerRules.settings("breakers.named.search.trial-calls = many")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("handoff.breakers.named.search.trial-calls");
  }

  private static void refused(String settings, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BreakerRules.settings(settings))
        .withMessageStartingWith(reason);
  }

  @Test
  void isKeptForSoManyBreakersAndCallsOfSomeLength() {
    var rule = BreakerRules.rule("");
    var second = Duration.ofSeconds(1);

    assertThat(settings(1, BreakerSettings.SHORTEST).keep()).isEqualTo(1);
    assertThat(settings(100_000, BreakerSettings.LONGEST).rule("any")).isEqualTo(rule);
    bad(0, second, "handoff.breakers.keep must be 1 to 100000, was 0");
    bad(100_001, second, "handoff.breakers.keep must be 1 to 100000, was 100001");
    bad(1, Duration.ZERO, "handoff.breakers.call-timeout must be 1ms to 80d, was 0s");
    bad(1, BreakerSettings.LONGEST.plusNanos(1), "handoff.breakers.call-timeout must be 1ms");
  }

  private static BreakerSettings settings(int keep, Duration callTimeout) {
    return new BreakerSettings(keep, callTimeout, BreakerRules.rule(""), Map.of());
  }

  private static void bad(int keep, Duration callTimeout, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(keep, callTimeout))
        .withMessageStartingWith(reason);
  }
}
