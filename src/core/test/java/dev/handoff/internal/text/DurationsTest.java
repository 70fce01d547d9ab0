package dev.handoff.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A duration")
class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "0s, PT0S",
    "500ms, PT0.5S",
    "2s, PT2S",
    "1.5m, PT1M30S",
    "6h, PT6H",
    "2d, PT48H",
    "1h30m, PT1H30M",
    "2m05s, PT2M5S",
    "1d2h3m4s5ms, PT26H3M4.005S",
    "PT30S, PT30S",
    "pt1h, PT1H",
    "P1D, PT24H",
    "0.5ms, PT0.0005S"
  })
  void isReadAsPeopleWriteIt(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
  }

  @Test
  void isNotReadBeyondItsUnits() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse("1s".repeat(5_000)))
        .withMessageContaining("is not a duration");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "5 s",
        "s",
        "5sec",
        "30m1h",
        "1h2h",
        "1h 30m",
        "-5s",
        "1e3s",
        "5S",
        "PT",
        "P1Y",
        "٣s",
        "9999999999999s",
        "NaN",
        "PT99999999999999999999S"
      })
  void isRefusedWhenItIsNone(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(text))
        .withMessageContaining("is not a duration: write 500ms");
  }

  @ParameterizedTest
  @CsvSource({"PT-1S, short", "36526d, long", "999999999999d, long", "PT9999999999H, long"})
  void staysWithinReason(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(text))
        .withMessageContaining("too " + why);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0ms",
    "PT0.35S, 350ms",
    "PT12.345S, 12.3s",
    "PT2M5S, 2m05s",
    "PT26H10M, 26h10m"
  })
  void isShownShort(Duration duration, String shown) {
    assertThat(Durations.format(duration)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT0.0005S, 0.5ms",
    "PT0.35S, 350ms",
    "PT10S, 10s",
    "PT1.5S, 1.5s",
    "PT5M, 5m",
    "PT1M30S, 1m30s",
    "PT1H0.25S, 1h0.25s",
    "PT36H, 36h",
    "PT720H, 30d",
    "PT4800H1S, 4800h1s"
  })
  void isShownExactlyAsItCanBeWritten(Duration duration, String shown) {
    assertThat(Durations.exact(duration)).isEqualTo(shown);
    assertThat(Durations.parse(shown)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.35S", "PT12.3S", "PT2M5S", "PT26H10M", "PT1H"})
  void canBeReadAsItIsShownShort(Duration duration) {
    assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
  }
}
