package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.CODEC;
import static dev.handoff.internal.plan.PlanSamples.ID;
import static dev.handoff.internal.plan.PlanStoredSamples.GOLDEN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.testing.SealedKinds;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is stored of a plan")
class PlanStoredFormTest {

  @Test
  void isReadBackAsItWas() throws IOException {
    for (var fact : PlanStoredSamples.facts().values()) {
      assertThat(CODEC.decodeFact(CODEC.encode(ID, fact).encoded())).isEqualTo(fact);
    }
    for (var state : PlanStoredSamples.states().values()) {
      assertThat(CODEC.decodeState(CODEC.encodeState(state))).isEqualTo(state);
    }
  }

  @Test
  void isWrittenAsItOnceWas() {
    PlanStoredSamples.all()
        .forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(GOLDEN.read(name)));
  }

  @Test
  void isReadAsItOnceWasWritten() throws IOException {
    for (var fact : PlanStoredSamples.facts().entrySet()) {
      assertThat(CODEC.decodeFact(GOLDEN.read("fact-" + fact.getKey()))).isEqualTo(fact.getValue());
    }
    for (var state : PlanStoredSamples.states().entrySet()) {
      assertThat(CODEC.decodeState(GOLDEN.read("state-" + state.getKey())))
          .isEqualTo(state.getValue());
    }
    assertThat(BodyCodec.decode(GOLDEN.read("body"))).isEqualTo(PlanStoredSamples.body());
  }

  @Test
  void hasNoGoldenFileThatNobodyReads() {
    assertThat(GOLDEN.names())
        .containsExactlyInAnyOrderElementsOf(PlanStoredSamples.all().keySet());
  }

  @Test
  void hasASampleOfEveryKind() {
    var facts = PlanStoredSamples.facts().values().stream();
    var phases = PlanStoredSamples.states().values().stream().map(PlanState::phase);

    assertThat(facts.<Class<?>>map(Object::getClass)).containsAll(SealedKinds.of(PlanFact.class));
    assertThat(phases.<Class<?>>map(Object::getClass)).containsAll(SealedKinds.of(PlanPhase.class));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        PlanFact.class,
        PlanPhase.class,
        PlanAnswer.class,
        PlanReply.class,
        ApplyOutcome.class
      })
  void hasANameForEveryKindOf(Class<?> sealed) {
    var named =
        Arrays.stream(sealed.getAnnotation(JsonSubTypes.class).value())
            .collect(Collectors.toMap(JsonSubTypes.Type::name, JsonSubTypes.Type::value));

    assertThat(named.values()).containsExactlyInAnyOrderElementsOf(SealedKinds.of(sealed));
    assertThat(named.keySet()).allMatch(name -> name.matches("[a-z-]+"));
  }
}
