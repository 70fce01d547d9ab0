package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.testing.RandomSeeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A service that is killed over and over")
@DisabledOnOs(OS.WINDOWS)
class KillStressTest {

  private static final int CYCLES = 200;
  private static final Duration LONGEST = Duration.ofMinutes(5);

  @TempDir Path directory;
  private ServiceProcesses services;

  @BeforeEach
  void prepare() {
    services = ServiceProcesses.in(directory);
  }

  @AfterEach
  void stop() {
    services.close();
  }

  @Test
  void keepsEveryPromiseWheneverItHappens() {
    RandomSeeds.each(
        1,
        random -> {
          int cycles = killUntil(random, System.nanoTime() + LONGEST.toNanos());
          var evidence = services.finish();

          System.out.println("killed " + cycles + " times");
          assertThat(RunFindings.violations(evidence)).isEmpty();
          assertThat(cycles).isGreaterThan(20);
          assertThat(evidence.count(What.ACCEPTED)).isGreaterThan(cycles * 20L);
          assertThat(evidence.count(EndCause.WORKER_LOST)).isPositive();
          assertThat(evidence.count(EndCause.TIMED_OUT)).isPositive();
          assertThat(evidence.count(What.CANCELLED)).isPositive();
          assertThat(evidence.count(JobFact.LateReport.class)).isPositive();
        });
  }

  private int killUntil(Random random, long end) {
    int cycle = 0;
    while (cycle < CYCLES && System.nanoTime() < end) {
      KillPatterns.once(services, "run" + cycle++ + "-0..79", random.nextInt(350));
    }
    return cycle;
  }

  @Test
  void keepsEveryPromiseAtEachPointOfAJobsLife() {
    var points =
        Stream.of(
                "submitted:3",
                "claimed:3",
                "started:3",
                "succeeded:3",
                "retry-scheduled:1",
                "failed:1",
                "stop-requested:1",
                "cancel-requested:1",
                "cancelled:1",
                "late-report:1")
            .flatMap(point -> Stream.of("before:" + point, "after:" + point))
            .toList();

    var evidence = KillPatterns.at(points, services);

    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isPositive();
    assertThat(evidence.count(JobFact.LateReport.class)).isPositive();
  }

  @Test
  void keepsEveryPromiseWhileACheckpointIsWritten() {
    var points =
        List.of(
            "before:chunk:1",
            "after:chunk:1",
            "before:chunk:3",
            "after:chunk:3",
            "before:trim:1",
            "after:trim:1");

    var evidence =
        KillPatterns.at(points, services, "ledger.checkpoint-after=4KiB", "ledger.chunk=1KiB");

    // The ledger holds only the facts since the last checkpoint.
    assertThat(RunFindings.violations(evidence.withoutFacts())).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"before, 100", "after, 0"})
  void forgetsASliceOfHistoryOrNothingOfIt(String moment, int left) throws Exception {
    services.finish(services.start("keys=quick-0..99"));

    var forgetful = services.start("history.retention=0s", "halt=" + moment + ":forget:1");

    assertThat(forgetful.exitCode()).isEqualTo(HaltingStore.EXIT_CODE);
    assertThat(services.evidence().jobs()).hasSize(left);
    Files.delete(services.journal());
    var next = services.start("keys=run1-0..99");
    next.await(What.ENDED, 50);
    if (left == 0) {
      assertThat(RunFindings.violations(services.finish(next))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"before:returned:1", "after:returned:1"})
  void keepsEveryPromiseWhileItShutsDown(String point) {
    var service = services.start("keys=long-1..5,run0-0..99", "halt=" + point);
    service.await(What.BEGIN, 20);

    service.signal("TERM");

    assertThat(service.exitCode()).isEqualTo(HaltingStore.EXIT_CODE);
    assertThat(RunFindings.violations(services.finish())).isEmpty();
  }

  @Test
  void startsNothingAgainHoweverOftenItIsStoppedForLongerThanAnyLease() {
    var service = FrozenServices.start(services);

    FrozenServices.freeze(service, 50);
    var evidence = services.finish(service);

    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isZero();
    assertThat(evidence.count(EndCause.HEARTBEAT_LOST)).isZero();
  }
}
