package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.testing.RandomSeeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Handlers that compute, throw errors and fill the heap")
class RoughStressTest {

  /// Time limit for the end of a run, after its time: all jobs end, and the engine is closed.
  private static final Duration LONGEST_END = Duration.ofMinutes(4);

  /// Limit of the rounds of a run that has not yet seen enough.
  private static final int MOST_ROUNDS = 4;

  @TempDir Path directory;
  private ServiceProcesses services;

  @BeforeEach
  void prepare() {
    services = ServiceProcesses.rough(directory);
  }

  @AfterEach
  void stop() {
    services.close();
  }

  @Test
  void breakNoPromiseInAMinuteOfIt() {
    RandomSeeds.each(
        1,
        random -> {
          var evidence = run(random, Duration.ofMinutes(1), RoughStressTest::hasSeenAll);

          assertThat(hasSeenAll(evidence)).as(() -> summary(evidence)).isTrue();
        });
  }

  @Test
  void breakNoPromiseInAFewSecondsOfIt() {
    RandomSeeds.each(
        1,
        random -> {
          var evidence = run(random, Duration.ofSeconds(8), RoughStressTest::hasSeenSome);

          assertThat(hasSeenSome(evidence)).as(() -> summary(evidence)).isTrue();
        });
  }

  /// Whether a long run has seen each kind of event several times.
  private static boolean hasSeenAll(RunEvidence evidence) {
    return fault(evidence, "heap") > 0
        && fault(evidence, "stack") > 3
        && evidence.count(What.ACCEPTED) > 300
        && evidence.count(EndCause.CANCELLED) > 3
        && evidence.count(EndCause.TIMED_OUT) > 3
        && evidence.count(EndCause.LATER) > 3
        && begun(evidence, RoughWork.SPIN) > 20
        && begun(evidence, RoughWork.CRUNCH) > 20
        && rules(evidence, RoughWork.NARROW) > 20
        && rules(evidence, RoughWork.PAUSED) > 20;
  }

  /// Whether a short run has seen its faults, and jobs beside them.
  private static boolean hasSeenSome(RunEvidence evidence) {
    return begun(evidence, RoughWork.FILL) + begun(evidence, RoughWork.FLOOD) > 0
        && fault(evidence, "stack") > 0
        && evidence.count(What.ACCEPTED) > 50;
  }

  private static String summary(RunEvidence evidence) {
    return "accepted %d, cancelled %d, timed out %d, later %d, full %d, deep %d, spin %d, crunch %d, %s %d, %s %d"
        .formatted(
            evidence.count(What.ACCEPTED),
            evidence.count(EndCause.CANCELLED),
            evidence.count(EndCause.TIMED_OUT),
            evidence.count(EndCause.LATER),
            fault(evidence, "heap"),
            fault(evidence, "stack"),
            begun(evidence, RoughWork.SPIN),
            begun(evidence, RoughWork.CRUNCH),
            RoughWork.NARROW,
            rules(evidence, RoughWork.NARROW),
            RoughWork.PAUSED,
            rules(evidence, RoughWork.PAUSED));
  }

  /// Runs services in sequence for the given time, and again if that was not enough: a busy machine
  /// does less in the same time. Then a service without faults ends the jobs that are left.
  private RunEvidence run(Random random, Duration time, Predicate<RunEvidence> isEnough) {
    int rounds = 0;
    int lives = 0;
    do {
      lives += liveFor(random, time);
      rounds++;
    } while (rounds < MOST_ROUNDS && !isEnough.test(services.evidence()));
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
    assertThat(RunFindings.violations(evidence, RoughWork.LIMITS, true)).isEmpty();
    return evidence;
  }

  /// Runs services until the time is over. Returns their number.
  private int liveFor(Random random, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    int lives = 0;
    for (long left = time.toMillis();
        left > 0;
        left = (end - System.nanoTime()) / 1_000_000, lives++) {
      live(left, random.nextLong());
    }
    return lives;
  }

  private void live(long millis, long seed) {
    var life = services.start("millis=" + millis, "seed=" + seed);
    assertThat(life.exitCode(LONGEST_END.plusMillis(millis))).as(life::complaints).isZero();
  }

  private static long fault(RunEvidence evidence, String kind) {
    return count(evidence, What.FAULT, 0, kind);
  }

  private static long begun(RunEvidence evidence, RoughWork work) {
    return count(evidence, What.BEGIN, 3, work.name());
  }

  private static long rules(RunEvidence evidence, String queue) {
    return count(evidence, What.RULE, 0, queue);
  }

  private static long count(RunEvidence evidence, What what, int place, String word) {
    return evidence.journal().stream()
        .filter(line -> line.what() == what && line.word(place).equals(word))
        .count();
  }
}
