package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.handoff.internal.dispatch.QueueFact;
import dev.handoff.internal.dispatch.QueueRule;
import dev.handoff.internal.dispatch.QueuesState;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.ledger.LiveStates;
import dev.handoff.internal.ledger.StoredEvent;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The facts of an engine")
class FactFoldingTest {

  private record Stranger() implements StoredEvent {}

  private final LiveStates live = new LiveStates();

  @Test
  void changeNothingOfAJobThatIsNotLive() {
    var late = new JobFact.Released(JobSamples.NOW);

    assertThat(FactFolding.fold(live, JobSamples.newId(0).value(), late)).isEmpty();
  }

  @Test
  void areRefusedWhenNobodyKnowsTheirKind() {
    assertThatIllegalStateException()
        .isThrownBy(() -> FactFolding.fold(live, "x", new Stranger()))
        .withMessageContaining("Stranger");
  }

  @Test
  void areWrittenAndReadWithTheStateOfTheQueues() throws IOException {
    var fact = new QueueFact.RuleSet("q", new QueueRule(true, 3), JobSamples.NOW);
    var codec = FactFolding.codec();

    var state = FactFolding.fold(live, QueuesState.ID.value(), fact).getFirst();

    assertThat(codec.decodeState(codec.encodeState(state))).isEqualTo(state);
  }
}
