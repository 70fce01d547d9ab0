package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobFilter;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobPage;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A reader of a store")
class HandoffReaderTest {

  @TempDir Path dir;

  @Test
  void findsLiveAndEndedJobs() {
    JobId live;
    JobId over;
    try (var handoff = engine()) {
      live =
          handoff
              .submitOrThrow(JobRequest.of("x").delay(Duration.ofDays(1)).label("team", "a"))
              .id();
      var handle = handoff.submitOrThrow(JobRequest.of("x", "payload"));
      over = handle.ended().toCompletableFuture().join().id();
    }

    try (var reader = reader()) {
      assertThat(reader.job(live)).get().extracting(JobInfo::status).isEqualTo(JobStatus.SCHEDULED);
      assertThat(reader.job(over)).get().extracting(JobInfo::status).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(reader.job(new JobId("01M7QA29F8201SE11P2AY4J500"))).isEmpty();
      assertThat(ids(reader.jobs(JobFilter.ALL.label("team", "a"), Optional.empty(), 10)))
          .containsExactly(live);
      assertThat(ids(reader.jobs(JobFilter.ALL.status(JobStatus.SUCCEEDED), Optional.empty(), 10)))
          .containsExactly(over);
      assertThat(ids(reader.jobs(JobFilter.ALL.status(JobStatus.SCHEDULED), Optional.empty(), 10)))
          .containsExactly(live);
      assertThat(reader.info().partitions()).isEqualTo(2);
    }
  }

  @Test
  void pagesThroughAllOfThemOnceAndInOrder() {
    var submitted = new ArrayList<JobId>();
    try (var handoff = engine()) {
      for (int i = 0; i < 23; i++) {
        var request =
            i % 3 == 0 ? JobRequest.of("x").delay(Duration.ofDays(1)) : JobRequest.of("x");
        submitted.addFirst(handoff.submitOrThrow(request).id());
      }
      submitted.stream()
          .map(id -> handoff.handle(id).status().toCompletableFuture().join())
          .filter(job -> job.status() != JobStatus.SCHEDULED)
          .forEach(job -> handoff.handle(job.id()).ended().toCompletableFuture().join());
    }

    try (var reader = reader()) {
      var seen = new ArrayList<JobId>();
      var cursor = Optional.<String>empty();
      do {
        var page = reader.jobs(JobFilter.ALL, cursor, 5);
        seen.addAll(ids(page));
        cursor = page.next();
      } while (cursor.isPresent());

      assertThat(seen).isEqualTo(submitted);
      assertThat(ids(reader.jobs(JobFilter.ALL, Optional.empty(), HandoffReader.MAX_LIMIT)))
          .isEqualTo(submitted);
    }
  }

  @Test
  void refusesLimitsAndCursorsThatAreNone() {
    engine().close();

    try (var reader = reader()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reader.jobs(JobFilter.ALL, Optional.empty(), 0));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reader.jobs(JobFilter.ALL, Optional.empty(), 10_001));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reader.jobs(JobFilter.ALL, Optional.of("x"), 1));
      assertThat(JobListsTest.tampered())
          .allSatisfy(
              filter ->
                  assertThatExceptionOfType(InvalidRequestException.class)
                      .isThrownBy(() -> reader.jobs(filter, Optional.empty(), 1)));
    }
  }

  @Test
  void isRefusedWhileAnEngineHasTheStore() {
    try (var handoff = engine()) {
      assertThat(handoff).isNotNull();
      assertThatExceptionOfType(StoreException.Held.class).isThrownBy(this::reader);
    }
  }

  @Test
  void namesThePlaceThatItCannotRead() throws Exception {
    JobId over;
    try (var handoff = engine()) {
      over = handoff.submitOrThrow(JobRequest.of("x")).ended().toCompletableFuture().join().id();
    }
    execute("UPDATE handoff_history SET state = x'00'");

    try (var reader = reader()) {
      assertThatExceptionOfType(StoreException.Unreadable.class)
          .isThrownBy(() -> reader.job(over))
          .withMessageContaining(over.value());
    }
    execute("DROP TABLE handoff_history");
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(
            () -> {
              try (var reader = reader()) {
                reader.job(over);
              }
            });
  }

  @Test
  void knowsWhetherJobsMayBeMissingBecauseTheyWereDropped() {
    engine().close();
    try (var reader = reader()) {
      assertThat(reader.info().mayHaveDropped()).isFalse();
    }
    Handoff.builder().directory(dir).set("history.types.x.failed", "drop").start().close();
    engine().close();

    try (var reader = reader()) {
      assertThat(reader.info().mayHaveDropped()).isTrue();
    }
  }

  @Test
  void needsAStore() {
    assertThatExceptionOfType(StoreException.Unfit.class).isThrownBy(this::reader);
  }

  private Handoff engine() {
    return Handoff.builder()
        .directory(dir)
        .handler("x", Object.class, (payload, job) -> payload)
        .start();
  }

  private void execute(String sql) throws SQLException {
    try (var database = DriverManager.getConnection("jdbc:sqlite:" + dir.resolve("handoff.db"));
        var statement = database.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private HandoffReader reader() {
    return HandoffReader.open(new StoreSettings.File(dir));
  }

  private static List<JobId> ids(JobPage page) {
    return page.jobs().stream().map(JobInfo::id).toList();
  }
}
