package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.facade.HandlerRegistration;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("After a process that was killed")
class LostAttemptCleanupTest {

  private final List<String> cleared = new CopyOnWriteArrayList<>();

  private final class Tidy implements JobHandler<Json> {
    @Override
    public Object handle(Json payload, JobContext job) {
      return null;
    }

    @Override
    public void clearUp(JobHandler.LostAttempt attempt) {
      assertThat(Thread.currentThread().isVirtual()).isFalse();
      var kept = attempt.checkpoint(Integer.class);
      cleared.add("%s %d %s".formatted(attempt.job(), attempt.attempt(), kept));
      kept.filter(number -> number == 13)
          .ifPresent(
              bad -> {
                throw new StackOverflowError();
              });
    }
  }

  @Test
  void eachHandlerClearsUpAndWhatOneThrowsKeepsNoOtherFromIt() {
    Map<String, HandlerRegistration<?>> handlers =
        Map.of(
            "tidy", new HandlerRegistration<>(Json.class, JobHandler.blocking(new Tidy())),
            "careless", new HandlerRegistration<>(Json.class, (payload, job) -> null));
    var one = interrupted("tidy", "01M7QA29F8201SE11P2AY4J500");
    var two = interrupted("tidy", "01M7QA29F8201SE11P2AY4J600");

    new LostAttemptCleanup(handlers, JsonFormat.standard())
        .after(
            List.of(
                interrupted("careless", "01M7QA29F8201SE11P2AY4J700"),
                interrupted("unknown", "01M7QA29F8201SE11P2AY4J800"),
                one.apply(new JobFact.Checkpointed(1, Json.of("13"))),
                two.apply(new JobFact.Checkpointed(1, Json.of("\"not a number\""))),
                two.apply(new JobFact.Checkpointed(1, Json.of("42"))),
                two));

    assertThat(cleared)
        .containsExactlyInAnyOrder(
            one.id() + " 1 Optional[13]",
            two.id() + " 1 Optional[42]",
            two.id() + " 1 Optional.empty");
  }

  private static final class Unreadable extends RuntimeException {
    @Override
    public String getMessage() {
      throw new IllegalStateException("not even this");
    }
  }

  /// The start must not wait either, as it would for a handler that never returns.
  @Test
  void whatCannotEvenBeLoggedKeepsNobodyWaiting() {
    JobHandler<Json> broken =
        new JobHandler<>() {
          @Override
          public Object handle(Json payload, JobContext job) {
            return null;
          }

          @Override
          public void clearUp(JobHandler.LostAttempt attempt) {
            throw new Unreadable();
          }
        };
    var clearing =
        new LostAttemptCleanup(
            Map.of("broken", new HandlerRegistration<>(Json.class, broken)), JsonFormat.standard());

    var over =
        CompletableFuture.runAsync(
            () -> clearing.after(List.of(interrupted("broken", "01M7QA29F8201SE11P2AY4J500"))),
            Thread::startVirtualThread);

    assertThat(over).succeedsWithin(Duration.ofSeconds(8));
  }

  private static JobState interrupted(String type, String id) {
    var submitted = new JobFact.Submitted(JobSpec.of(type, Json.NULL), Instant.EPOCH, false);
    return JobState.create(new JobId(id), submitted)
        .apply(
            new JobFact.Claimed(
                1, new ClaimingWorker(new PoolId("dead"), "worker-1"), Instant.EPOCH));
  }
}
