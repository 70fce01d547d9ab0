package dev.handoff.internal.facade.plan;

import static dev.handoff.plan.PlanRequest.after;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.HandoffReader;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.Change;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.PlanStepNotFoundException;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A reader of a store shows plans")
class PlanChangeQueryTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();

  @AfterEach
  void clear() {
    home.close();
  }

  private Handoff start() {
    return Handoff.on(actors.system())
        .store(home.store())
        .shutdownGrace(Duration.ZERO)
        .cancelling(Duration.ofMillis(10), Duration.ofMillis(20))
        .handler("held", Json.class, held)
        .handler(
            "write",
            String.class,
            (text, job) ->
                job.changes()
                    .record(Change.create("a.txt", text))
                    .toCompletableFuture()
                    .join()
                    .orThrow()
                    .entries())
        .start();
  }

  private static PlanRequest twice() {
    return PlanRequest.of("p")
        .step("one", JobRequest.of("write", "one\n"))
        .plan(
            "inner",
            PlanRequest.of("inner").step("two", JobRequest.of("write", "two\n")),
            after("one"));
  }

  @Test
  void thatHaveEnded() {
    PlanId id;
    try (var handoff = start()) {
      var plan = handoff.plans().submitOrThrow(twice());
      BoundedWaits.get(plan.result());
      id = plan.id();
    }

    try (var reader = HandoffReader.open(home.store())) {
      var info = reader.plan(id).orElseThrow();
      assertThat(info.status()).isEqualTo(PlanStatus.SUCCEEDED);
      assertThat(info.size()).isEqualTo(2);
      assertThat(info.steps().getFirst().info().orElseThrow().attempt()).isEqualTo(1);
      assertThat(reader.diff(id).orElseThrow().text()).contains("+one");
      assertThat(reader.diff(id).orElseThrow().conflicts()).hasSize(1);
      assertThat(reader.diffOfStep(id, "inner/two").orElseThrow().text()).contains("+two");
      assertThatThrownBy(() -> reader.diffOfStep(id, "inner/none"))
          .isInstanceOf(PlanStepNotFoundException.class)
          .hasMessageEndingWith("there are inner/two");
      var set = info.changesets().getLast().id();
      assertThat(reader.diff(id, set).orElseThrow().text()).contains("+two");
      assertThat(reader.diff(id, "c7")).isEmpty();
      assertThat(reader.conflicts(id).orElseThrow().getFirst().path()).isEqualTo("a.txt");
      assertThat(reader.verify(id).orElseThrow()).isInstanceOf(ChainVerdict.Intact.class);
      var inner = info.steps().get(1).plan().orElseThrow().id();
      assertThat(reader.diff(inner).orElseThrow().text()).contains("+two");
    }
  }

  @Test
  void thatAreStillLive() {
    PlanId id;
    try (var handoff = start()) {
      var plan = handoff.plans().submitOrThrow(twice().step("long", JobRequest.of("held")));
      held.next();
      BoundedWaits.until(
          "both have written", () -> BoundedWaits.get(plan.changesets()).size() == 2);
      id = plan.id();
    }

    try (var reader = HandoffReader.open(home.store())) {
      var info = reader.plan(id).orElseThrow();
      assertThat(info.status()).isEqualTo(PlanStatus.RUNNING);
      assertThat(info.steps().getLast().status()).isEqualTo("queued");
      assertThat(reader.diff(id).orElseThrow().text()).contains("+one");
      assertThat(reader.verify(id).orElseThrow()).isInstanceOf(ChainVerdict.Intact.class);
      assertThat(reader.job(info.steps().getLast().job().orElseThrow())).isPresent();
    }
  }

  @Test
  void andNoneThatNeverWere() {
    start().close();

    try (var reader = HandoffReader.open(home.store())) {
      var unknown = new PlanId(new Ulid(new Random()).next(0, 1));
      assertThat(reader.plan(unknown)).isEmpty();
      assertThat(reader.diff(unknown)).isEmpty();
      assertThat(reader.verify(unknown)).isEmpty();
      assertThat(reader.plan(new PlanId(new Ulid(new Random()).next(0, 90)))).isEmpty();
    }
  }
}
