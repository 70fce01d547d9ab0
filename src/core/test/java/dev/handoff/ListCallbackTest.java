package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreDirectory;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What follows from a page of a list")
class ListCallbackTest {

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        Handoff.builder()
            .store(home.store())
            .handler("t", Json.class, (payload, job) -> payload)
            .start();
    BoundedWaits.get(handoff.submitOrThrow(JobRequest.of("t", "x")).result());
    var plan = PlanRequest.of("p").step("s", JobRequest.of("t", "y"));
    BoundedWaits.get(handoff.plans().submitOrThrow(plan).result());
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  /// The store has a single reader thread: a callback that waits on it for another page would
  /// deadlock.
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
    assertThat(BoundedWaits.get(thread)).startsWith("handoff-callback-");

    var next = list.get().thenApply(page -> list.get().toCompletableFuture().join());
    assertThat(BoundedWaits.get(next)).isNotNull();
  }
}
