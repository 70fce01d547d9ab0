package dev.handoff.internal.facade.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A list of plans")
class PlanListsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        Handoff.on(actors.system())
            .store(home.store())
            .shutdownGrace(Duration.ZERO)
            .cancelling(Duration.ofMillis(10), Duration.ofMillis(20))
            .handler("held", Json.class, held)
            .handler("noop", Json.class, (payload, job) -> null)
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private PlanHandle submit(String name, String type) {
    var child = PlanRequest.of("inner").step("b", JobRequest.of("noop"));
    return handoff
        .plans()
        .submitOrThrow(PlanRequest.of(name).step("a", JobRequest.of(type)).plan("c", child));
  }

  private PlanPage page(Optional<String> cursor, int limit) {
    return BoundedWaits.get(handoff.plans().list(cursor, limit));
  }

  @Test
  void hasLiveAndEndedOnesOnceNewestFirst() {
    var plans = new ArrayList<PlanId>();
    for (int i = 0; i < 6; i++) {
      var plan = submit("p" + i, i % 2 == 0 ? "noop" : "held");
      plans.addFirst(plan.id());
      if (i % 2 == 0) {
        BoundedWaits.get(plan.result());
      }
    }
    BoundedWaits.until(
        "the children of the live ones have ended",
        () ->
            page(Optional.empty(), 10).plans().stream()
                .allMatch(
                    plan -> plan.done() == 2 || plan.done() == 1 && plan.finishedAt().isEmpty()));

    var first = page(Optional.empty(), 4);
    var second = page(first.next(), 4);

    var all = new ArrayList<>(first.plans());
    all.addAll(second.plans());
    assertThat(all).extracting(PlanPage.Overview::id).isEqualTo(plans);
    assertThat(first.plans()).hasSize(4);
    assertThat(second.next()).isEmpty();
    assertThat(all.getLast().status()).isEqualTo(PlanStatus.SUCCEEDED);
    assertThat(all.getLast().finishedAt()).isPresent();
    assertThat(all.getFirst().status()).isEqualTo(PlanStatus.RUNNING);
    assertThat(all.getFirst().name()).isEqualTo("p5");
    assertThat(all.getFirst().steps()).isEqualTo(2);
  }

  @Test
  void isEmptyWithoutPlans() {
    assertThat(page(Optional.empty(), 1)).isEqualTo(new PlanPage(List.of(), Optional.empty()));
  }

  @Test
  void refusesWhatIsNoCursorAndNoLimit() {
    assertThatThrownBy(() -> page(Optional.of("x"), 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("cursor");
    assertThatThrownBy(() -> page(Optional.empty(), 1_001))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("1 to 1000");
  }
}
