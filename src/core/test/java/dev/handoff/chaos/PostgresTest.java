package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.Submission;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.store.PostgresServer;
import dev.handoff.testing.BoundedWaits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An engine on a PostgreSQL server that lets it down")
class PostgresTest {

  private static final Duration BACK_WITHIN = Duration.ofSeconds(10);

  private static PostgresServer server;

  @TempDir Path directory;
  private Path journal;
  private String url;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start(PostgresServer.CARELESS);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void prepare() {
    journal = directory.resolve("journal");
    url = server.newDatabase() + "&sslmode=disable&gssEncMode=disable";
  }

  private StoreSettings.Kind store() {
    return new StoreSettings.Postgres(url, null, null, Duration.ofSeconds(1));
  }

  @Test
  void losesNothingWhileTheServerIsAwayAndGoesOnByItself() {
    var local = LocalService.start(journal, store());
    local.work("run0-0..399");
    for (int outage = 1; outage <= 2; outage++) {
      awaitSome(local, What.ENDED, outage * 60L);
      if (outage == 1) {
        server.kill();
      } else {
        server.stop();
      }

      BoundedWaits.get(local.client().submit("quick-" + outage));
      BoundedWaits.until(
          "it is noticed", () -> BoundedWaits.get(local.handoff().health()).isDegraded());

      server.start();
      long back = System.nanoTime();
      BoundedWaits.until(
          "it is well again", () -> BoundedWaits.get(local.handoff().health()).ready());
      BoundedWaits.get(local.client().submit("quick-0" + outage));
      assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(BACK_WITHIN);
    }

    var evidence = local.finish();

    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(evidence.journal())
        .filteredOn(line -> line.what() == What.UNAVAILABLE)
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(line -> assertThat(Integer.parseInt(line.word(1))).isPositive());
    assertThat(evidence.count(EndCause.WORKER_LOST)).isZero();
    assertThat(evidence.count(What.BEGIN)).isGreaterThan(200);
  }

  private static void awaitSome(LocalService local, What what, long times) {
    BoundedWaits.until(times + " times " + what, () -> local.seen(what) >= times);
  }

  @Test
  void takesNoMoreThanItCanKeepWhileTheServerIsAway() {
    try (var handoff =
        Handoff.builder()
            .store(store())
            .handler("t", Json.class, (payload, job) -> payload)
            .partitions(2)
            .set("ledger.max-append", "512KiB")
            .set("ledger.backlog", "1MiB")
            .set("ledger.batch-bytes", "100KiB")
            .start()) {
      server.kill();
      var payload = "x".repeat(10_000);
      var refused = new AtomicInteger();
      var answers = new ArrayList<CompletableFuture<Submission>>();
      for (int job = 0; job < 2_000; job++) {
        var answer = handoff.submit(JobRequest.of("t", payload)).toCompletableFuture();
        answers.add(answer);
        answer.thenAccept(
            submission -> {
              if (submission instanceof Submission.Unavailable) {
                refused.incrementAndGet();
              }
            });
      }

      BoundedWaits.until("most of them are turned away", () -> refused.get() > 1_000);
      assertThat(BoundedWaits.get(handoff.health()).problems())
          .anyMatch(p -> p.contains("store is away"));

      server.start();
      var kept =
          answers.stream()
              .map(BoundedWaits::get)
              .filter(Submission.Accepted.class::isInstance)
              .map(accepted -> ((Submission.Accepted) accepted).handle())
              .toList();
      assertThat(kept).isNotEmpty();
      for (var job : kept) {
        assertThat(BoundedWaits.get(job.result())).isInstanceOf(Outcome.Succeeded.class);
      }
      // Before this, the ends of these jobs can fill the backlog: they are larger than their
      // submissions.
      assertThat(BoundedWaits.get(handoff.submit(JobRequest.of("t"))))
          .isInstanceOf(Submission.Accepted.class);
      assertThat(BoundedWaits.get(handoff.health()).ready()).isTrue();
    } finally {
      restart();
    }
  }

  private static void restart() {
    try {
      server.execute("SELECT 1");
    } catch (IllegalStateException down) {
      server.start();
    }
  }

  @Test
  void doesNotStartWhileTheServerIsDownAndSaysWhere() {
    server.stop();
    try {
      assertThatThrownBy(() -> LocalService.start(journal, store()))
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessageContaining("opening the store in 127.0.0.1:" + server.port());
    } finally {
      server.start();
    }

    var local = LocalService.start(journal, store());
    local.work("quick-1..3");
    assertThat(RunFindings.violations(local.finish())).isEmpty();
  }

  @Test
  void losesNothingWhenItsConnectionsAreCutOverAndOver() {
    var local = LocalService.start(journal, store());
    local.work("run0-0..299");
    long cut = 0;
    while (local.isWorking()) {
      server.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name LIKE 'handoff%' AND query LIKE '%handoff_ledger%'");
      cut++;
      long seen = local.seen(What.ENDED);
      BoundedWaits.until(
          "it goes on", () -> !local.isWorking() || local.seen(What.ENDED) > seen + 30);
    }

    var evidence = local.finish();

    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(cut).isGreaterThan(2);
    assertThat(evidence.count(EndCause.WORKER_LOST)).isZero();
  }

  @Test
  void looksUpWhatBecameOfCommitsWhoseReplyWasLost() {
    try (var cutter = new ReplyCutter(server.port())) {
      var between =
          new StoreSettings.Postgres(
              url.replace(":" + server.port(), ":" + cutter.port()),
              null,
              null,
              Duration.ofSeconds(1));
      var local = LocalService.start(journal, between);
      local.work("run0-0..199");
      for (int round = 1; round <= 3; round++) {
        awaitSome(local, What.ENDED, round * 30L);
        cutter.arm(2);
      }

      BoundedWaits.until("all of them are cut", () -> cutter.cut() == 6);
      var evidence = local.finish();

      assertThat(RunFindings.violations(evidence)).isEmpty();
      assertThat(evidence.count(EndCause.WORKER_LOST)).isZero();
      assertThat(evidence.count(What.ENDED)).isGreaterThanOrEqualTo(200);
    }
  }
}
