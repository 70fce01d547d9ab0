package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.handoff.plan.PlanInfo;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The steps of a large plan")
class StepStatesTest {

  private static final int MOVES = 1_000;

  private static StepStates waiting(int count) {
    return StepStates.of(
        IntStream.range(0, count).mapToObj(number -> StepState.waiting("s" + number)).toList());
  }

  private static StepStates moved(StepStates steps, String name, PlanInfo.StepStatus to) {
    return steps.with(name, step -> step.to(to, null));
  }

  @Test
  void moveOneByOneAndStayWhatTheyWereForWhoeverHoldsThem() {
    var before = waiting(300);

    var after =
        moved(
            moved(before, "s299", PlanInfo.StepStatus.RELEASED), "s7", PlanInfo.StepStatus.FAILED);

    assertThat(before).isEqualTo(waiting(300));
    assertThat(after.count(PlanInfo.StepStatus.WAITING)).isEqualTo(298);
    assertThat(after.find("s7"))
        .contains(new StepState("s7", PlanInfo.StepStatus.FAILED, null, false));
    assertThat(after.at(299).status()).isEqualTo(PlanInfo.StepStatus.RELEASED);
    assertThat(moved(after, "s300", PlanInfo.StepStatus.FAILED)).isSameAs(after);
  }

  /// Cancelling ten thousand steps at once creates ten thousand versions, which all are referenced
  /// for a moment. With a full copy in each version, they took 400 MB.
  @Test
  void takeLittleForEachVersion() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var steps = moved(waiting(10_000), "s0", PlanInfo.StepStatus.RELEASED);
    long before = threads.getCurrentThreadAllocatedBytes();

    for (int number = 0; number < MOVES; number++) {
      steps = moved(steps, "s" + number, PlanInfo.StepStatus.CANCELLED);
    }

    long each = (threads.getCurrentThreadAllocatedBytes() - before) / MOVES;
    assertThat(each).isLessThan(6_000);
  }
}
