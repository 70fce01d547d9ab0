package dev.handoff.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.handoff.dispatch.QueueFact;
import dev.handoff.dispatch.QueueRule;
import dev.handoff.dispatch.QueuesState;
import dev.handoff.job.JobFact;
import dev.handoff.ledger.LiveStates;
import dev.handoff.ledger.StoredEvent;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The facts of an engine")
class FactsTest {

  private record Stranger() implements StoredEvent {}

  private final LiveStates live = new LiveStates();

  @Test
  void changeNothingOfAJobThatIsNotLive() {
    var late = new JobFact.Released(JobSamples.NOW);

    assertThat(Facts.fold(live, JobSamples.newId(0).value(), late)).isEmpty();
  }

  @Test
  void areRefusedWhenNobodyKnowsTheirKind() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Facts.fold(live, "x", new Stranger()))
        .withMessageContaining("Stranger");
  }

  @Test
  void areWrittenAndReadWithTheStateOfTheQueues() throws IOException {
    var fact = new QueueFact.RuleSet("q", new QueueRule(true, 3), JobSamples.NOW);
    var codec = Facts.codec();

    var state = Facts.fold(live, QueuesState.ID.value(), fact).getFirst();

    assertThat(codec.decodeState(codec.encodeState(state))).isEqualTo(state);
  }
}
