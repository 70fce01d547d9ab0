package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.Json;
import dev.handoff.testing.Home;
import dev.handoff.testing.Soon;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What follows from a page of a list")
class ListCallbackTest {

  private final Home home = Home.of(Home.Kind.FILE);
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        Handoff.builder()
            .store(home.store())
            .handler("t", Json.class, (payload, job) -> payload)
            .start();
    Soon.get(handoff.submitOrThrow(JobRequest.of("t", "x")).result());
    var plan = PlanRequest.of("p").step("s", JobRequest.of("t", "y"));
    Soon.get(handoff.plans().submitOrThrow(plan).result());
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  /// The store has one thread for reading: what waits there for another page waits behind itself.
  @Test
  void runsOnAThreadOnWhichTheNextPageOfJobsCanBeAwaited() {
    awaitTheNextPage(() -> handoff.jobs(JobFilter.ALL, Optional.empty(), 10));
  }

  @Test
  void runsOnAThreadOnWhichTheNextPageOfPlansCanBeAwaited() {
    awaitTheNextPage(() -> handoff.plans().list(Optional.empty(), 10));
  }

  private static void awaitTheNextPage(Supplier<CompletionStage<?>> list) {
    var thread = list.get().thenApply(page -> Thread.currentThread().getName());
    assertThat(Soon.get(thread)).startsWith("handoff-callback-");

    var next = list.get().thenApply(page -> list.get().toCompletableFuture().join());
    assertThat(Soon.get(next)).isNotNull();
  }
}
