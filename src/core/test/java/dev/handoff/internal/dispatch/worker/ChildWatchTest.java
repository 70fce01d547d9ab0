package dev.handoff.internal.dispatch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The watch for a child's end")
class ChildWatchTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final JobId CHILD = new JobId("01K9Z3N0W60000000000000000");
  private static final WatchReply AWAY = new WatchReply.Unavailable(CHILD, "away", Duration.ZERO);
  private static final JobState STATE =
      JobState.create(
          CHILD, new JobFact.Submitted(JobSpec.of("t", Json.NULL), Instant.EPOCH, false));

  private final AtomicInteger failures = new AtomicInteger();
  private final LinkedBlockingQueue<CompletableFuture<WatchReply>> asked =
      new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> threads = new LinkedBlockingQueue<>();
  private final CompletableFuture<JobState> ended = new CompletableFuture<>();

  private CompletionStage<WatchReply> ask(JobId child) {
    assertThat(child).isEqualTo(CHILD);
    if (failures.getAndDecrement() > 0) {
      throw new OutOfMemoryError("at first");
    }
    var answer = new CompletableFuture<WatchReply>();
    threads.add(Thread.currentThread().getName());
    asked.add(answer);
    return answer;
  }

  private CompletableFuture<WatchReply> started() {
    new ChildWatch(CHILD, ended, this::ask, actors.system()).start();
    threads.remove();
    return BoundedWaits.take(asked);
  }

  @Test
  void goesOnAlthoughThereIsNoMemoryToAskAgainAtFirst() {
    var first = started();
    failures.set(3);

    first.complete(AWAY);
    BoundedWaits.take(asked).complete(new WatchReply.Ended(STATE));

    assertThat(BoundedWaits.get(ended)).isEqualTo(STATE);
    assertThat(failures.get()).isNegative();
  }

  @Test
  void asksAgainOnNoThreadOfActors() {
    started().complete(AWAY);

    assertThat(BoundedWaits.take(threads)).startsWith("handoff-answer-");
  }
}
