package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StartException;
import dev.handoff.StoreException;
import dev.handoff.Submission;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.Store;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreAround;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A start that comes to nothing")
class FailedStartTest {

  @TempDir Path directory;

  private final CompletableFuture<Submission> told = new CompletableFuture<>();
  private final CompletableFuture<Void> submitted = new CompletableFuture<>();

  /// Store whose second partition is unreadable. Its replay fails only after a job of the first
  /// partition has submitted a child.
  private final class HalfReadable extends StoreAround {
    HalfReadable(Store inner) {
      super(inner);
    }

    @Override
    public CompletionStage<PartitionReplay.Page> replay(
        int partition, PartitionReplay.Position from) {
      return partition == 0
          ? super.replay(partition, from)
          : submitted.thenCompose(
              now ->
                  CompletableFuture.failedFuture(
                      new StoreException.Unreadable("partition 1 is damaged", null)));
    }
  }

  private EngineBuilder builder(Instant now) {
    return EngineBuilder.withOwnSystem()
        .directory(directory)
        .partitions(2)
        .shutdownGrace(Duration.ZERO)
        .clock(InstantSource.fixed(now))
        .handler("parent", Json.class, (payload, job) -> submitChild(job))
        .handler("child", Json.class, (payload, job) -> submitted.complete(null));
  }

  private Object submitChild(JobContext job) {
    job.submit(JobRequest.of("child")).whenComplete((answer, failure) -> told.complete(answer));
    // A handler cannot submit after its return.
    BoundedWaits.get(told);
    return null;
  }

  /// Jobs of a recovered partition run while other partitions are still being read.
  @Test
  void leavesNoHandlerWithoutAnAnswerThatRanMeanwhile() {
    var now = Instant.parse("2026-01-01T00:00:00Z");
    try (var handoff = builder(now).start()) {
      var later = JobRequest.of("parent").delay(Duration.ofHours(1));
      Stream.generate(() -> handoff.submitOrThrow(later).id())
          .anyMatch(job -> job.partition() == 0);
    }

    var late = builder(now.plus(Duration.ofHours(2))).around(HalfReadable::new);

    assertThatThrownBy(late::start)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("partition 1 is damaged");
    assertThat(told)
        .succeedsWithin(BoundedWaits.PATIENCE)
        .isInstanceOf(Submission.Unavailable.class);
  }
}
