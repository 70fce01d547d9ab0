package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.chaos.Journal.What;
import dev.handoff.job.EndCause;
import dev.handoff.testing.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Handlers that compute, throw errors and fill the heap")
class RoughStressTest {

  /// After its time a life has to come to its end: what was begun ends, and the engine is closed.
  private static final Duration LONGEST_END = Duration.ofMinutes(4);

  @TempDir Path directory;
  private Services services;

  @BeforeEach
  void prepare() {
    services = Services.rough(directory);
  }

  @AfterEach
  void stop() {
    services.close();
  }

  @Test
  void breakNoPromiseInAMinuteOfIt() {
    Seeds.each(
        1,
        random -> {
          var evidence = run(random, Duration.ofMinutes(1));

          assertThat(fault(evidence, "heap")).isPositive();
          assertThat(fault(evidence, "stack")).isGreaterThan(3);
          assertThat(evidence.count(What.ACCEPTED)).isGreaterThan(300);
          assertThat(evidence.count(EndCause.CANCELLED)).isGreaterThan(3);
          assertThat(evidence.count(EndCause.TIMED_OUT)).isGreaterThan(3);
          assertThat(evidence.count(EndCause.LATER)).isGreaterThan(3);
          assertThat(begun(evidence, RoughWork.SPIN)).isGreaterThan(20);
          assertThat(begun(evidence, RoughWork.CRUNCH)).isGreaterThan(20);
          assertThat(rules(evidence, RoughWork.NARROW)).isGreaterThan(20);
          assertThat(rules(evidence, RoughWork.PAUSED)).isGreaterThan(20);
        });
  }

  @Test
  void breakNoPromiseInAFewSecondsOfIt() {
    Seeds.each(
        1,
        random -> {
          var evidence = run(random, Duration.ofSeconds(8));

          assertThat(begun(evidence, RoughWork.FILL) + begun(evidence, RoughWork.FLOOD))
              .isPositive();
          assertThat(fault(evidence, "stack")).isPositive();
          assertThat(evidence.count(What.ACCEPTED)).isGreaterThan(50);
        });
  }

  /// Lives of a service, one after the other, until the time is over; and one without a fault.
  private Evidence run(Random random, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    int lives = 0;
    for (long left = time.toMillis();
        left > 0;
        left = (end - System.nanoTime()) / 1_000_000, lives++) {
      live(left, random.nextLong());
    }
    live(0, 0);
    var evidence = services.evidence();
    System.out.printf(
        "%d lives, %d jobs, down %d times, full %d times, silent %d times, not started %d times%n",
        lives,
        evidence.jobs().size(),
        evidence.count(What.DOWN),
        fault(evidence, "heap"),
        evidence.count(What.SILENT),
        evidence.count(What.NOT_STARTED));
    assertThat(Findings.violations(evidence, RoughWork.LIMITS, true)).isEmpty();
    return evidence;
  }

  private void live(long millis, long seed) {
    var life = services.start("millis=" + millis, "seed=" + seed);
    assertThat(life.exitCode(LONGEST_END.plusMillis(millis))).as(life::complaints).isZero();
  }

  private static long fault(Evidence evidence, String kind) {
    return count(evidence, What.FAULT, 0, kind);
  }

  private static long begun(Evidence evidence, RoughWork work) {
    return count(evidence, What.BEGIN, 3, work.name());
  }

  private static long rules(Evidence evidence, String queue) {
    return count(evidence, What.RULE, 0, queue);
  }

  private static long count(Evidence evidence, What what, int place, String word) {
    return evidence.journal().stream()
        .filter(line -> line.what() == what && line.word(place).equals(word))
        .count();
  }
}
