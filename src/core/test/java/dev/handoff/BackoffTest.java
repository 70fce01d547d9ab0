package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.internal.job.JobSituations;
import dev.handoff.testing.RandomSeeds;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A backoff")
class BackoffTest {

  @Test
  void isOneSecondDoubledUpToFiveMinutesByDefault() {
    var delays = new long[12];
    for (int i = 0; i < delays.length; i++) {
      delays[i] = Backoff.DEFAULT.after(i + 1, JobSituations.chance()).toSeconds();
    }

    assertThat(delays).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300);
  }

  @Test
  void isLongerOrShorterByAPartOfItself() {
    assertThat(delay(0)).hasMillis(8_000);
    assertThat(delay(0.25)).hasMillis(9_000);
    assertThat(delay(0.5)).hasMillis(10_000);
    assertThat(delay(0.75)).hasMillis(11_000);
  }

  private static Duration delay(double chance) {
    var random =
        new RandomGenerator() {
          @Override
          public long nextLong() {
            return 0;
          }

          @Override
          public double nextDouble() {
            return chance;
          }
        };
    var most = Duration.ofMinutes(1);
    return Backoff.exponential(Duration.ofSeconds(5), 2, most, 0.2).after(2, random);
  }

  @Test
  void ofNoneIsDueAtOnce() {
    assertThat(Backoff.none().after(9, new Random(1))).isZero();
  }

  @Test
  void ofAFixedDelayIsAlwaysTheSame() {
    var backoff = Backoff.fixed(Duration.ofSeconds(7));

    assertThat(backoff.after(1, new Random(1))).isEqualTo(Duration.ofSeconds(7));
    assertThat(backoff.after(100, new Random(1))).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void staysWithinItsJitterAndItsBound() {
    RandomSeeds.each(
        500,
        random -> {
          var first = Duration.ofMillis(random.nextLong(100_000));
          var max = Duration.ofMillis(random.nextLong(1_000_000));
          double factor = 1 + random.nextDouble() * 10;
          double jitter = random.nextDouble();
          int failures = 1 + random.nextInt(2_000);

          var delay = Backoff.exponential(first, factor, max, jitter).after(failures, random);

          double middle =
              Math.min(first.toMillis() * Math.pow(factor, failures - 1), max.toMillis());
          assertThat(delay).isBetween(Duration.ZERO, max);
          assertThat((double) delay.toMillis())
              .isBetween(middle * (1 - jitter) - 1, middle * (1 + jitter) + 1);
        });
  }

  @Test
  void neverShrinksWithoutJitter() {
    RandomSeeds.each(
        100,
        random -> {
          var backoff =
              Backoff.exponential(
                  Duration.ofMillis(1 + random.nextInt(1_000)),
                  1 + random.nextDouble(),
                  Duration.ofDays(366),
                  0);
          var before = Duration.ZERO;
          for (int failures = 0; failures < 200; failures++) {
            var delay = backoff.after(failures, random);
            assertThat(delay).isGreaterThanOrEqualTo(before);
            before = delay;
          }
        });
  }

  @Test
  void isSpreadByItsJitter() {
    var random = new Random(1);
    var delays =
        random
            .ints(1_000)
            .mapToObj(any -> Backoff.DEFAULT.after(1, random).toMillis())
            .distinct()
            .toList();

    assertThat(delays).hasSizeGreaterThan(200).allMatch(delay -> delay >= 800 && delay <= 1_200);
  }

  @Test
  void refusesWhatMakesNoSense() {
    var second = Duration.ofSeconds(1);

    refused(() -> Backoff.fixed(Duration.ofSeconds(-1)), "delay must be 0s to 366d");
    refused(() -> Backoff.fixed(Duration.ofDays(367)), "delay must be 0s to 366d");
    refused(() -> Backoff.exponential(second.negated(), 2, second, 0), "first must be");
    refused(() -> Backoff.exponential(second, 2, second.negated(), 0), "max must be");
    refused(() -> Backoff.exponential(second, 0.5, second, 0), "factor must be 1 to 100, was 0.5");
    refused(() -> Backoff.exponential(second, Double.NaN, second, 0), "factor must be");
    refused(() -> Backoff.exponential(second, 2, second, 1.1), "jitter must be 0 to 1, was 1.1");
    refused(() -> Backoff.exponential(second, 2, second, Double.NaN), "jitter must be");
  }

  private static void refused(Runnable made, String reason) {
    assertThatIllegalArgumentException().isThrownBy(made::run).withMessageContaining(reason);
  }
}
