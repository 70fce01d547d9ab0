package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.SealedKinds;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is stored of a job")
class StoredFormTest {

  private final FactCodec codec = StoredSamples.codec();

  @Test
  void isReadBackAsItWas() throws IOException {
    for (var fact : StoredSamples.facts().values()) {
      assertThat(codec.decodeFact(codec.encode(JobSituations.ID, fact).encoded())).isEqualTo(fact);
    }
    for (var state : StoredSamples.states().values()) {
      assertThat(codec.decodeState(codec.encodeState(state))).isEqualTo(state);
    }
  }

  @Test
  void isWrittenAsItOnceWas() {
    StoredSamples.facts()
        .forEach(
            (name, fact) ->
                assertThat(codec.encode(JobSituations.ID, fact).encoded())
                    .as(name)
                    .isEqualTo(StoredSamples.GOLDEN.read("fact-" + name)));
    StoredSamples.states()
        .forEach(
            (name, state) ->
                assertThat(codec.encodeState(state))
                    .as(name)
                    .isEqualTo(StoredSamples.GOLDEN.read("state-" + name)));
  }

  @Test
  void isReadAsItOnceWasWritten() throws IOException {
    for (var fact : StoredSamples.facts().entrySet()) {
      assertThat(codec.decodeFact(StoredSamples.GOLDEN.read("fact-" + fact.getKey())))
          .isEqualTo(fact.getValue());
    }
    for (var state : StoredSamples.states().entrySet()) {
      assertThat(codec.decodeState(StoredSamples.GOLDEN.read("state-" + state.getKey())))
          .isEqualTo(state.getValue());
    }
  }

  @Test
  void hasNoGoldenFileThatNobodyReads() {
    var known =
        Stream.concat(
            StoredSamples.facts().keySet().stream().map(name -> "fact-" + name),
            StoredSamples.states().keySet().stream().map(name -> "state-" + name));

    assertThat(StoredSamples.GOLDEN.names()).containsExactlyInAnyOrderElementsOf(known.toList());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        JobFact.class,
        JobPhase.class,
        JobCommand.OfJob.class,
        JobCommand.OfAttempt.class,
        AttemptReport.class,
        Backoff.class,
        JobReply.class,
        ReportReply.class,
        ChildReply.class,
        StateReply.class,
        WatchReply.class,
        SubmitReply.class,
        WorkerOrder.class
      })
  void hasANameForEveryKindOf(Class<?> sealed) {
    var named =
        Arrays.stream(sealed.getAnnotation(JsonSubTypes.class).value())
            .collect(Collectors.toMap(JsonSubTypes.Type::name, JsonSubTypes.Type::value));

    assertThat(named.values()).containsExactlyInAnyOrderElementsOf(SealedKinds.of(sealed));
    assertThat(named.keySet()).allMatch(name -> name.matches("[a-z-]+"));
  }

  @Test
  void hasASampleOfEveryKind() {
    var kinds =
        StoredSamples.facts().values().stream().map(Object::getClass).collect(Collectors.toSet());

    assertThat(kinds).containsExactlyInAnyOrderElementsOf(SealedKinds.of(JobFact.class));
  }

  @Test
  void isRefusedUnderANameOfANewerVersion() throws IOException {
    var bytes = new CBORMapper().writeValueAsBytes(List.of("teleported", Map.of("attempt", 1)));

    assertThatExceptionOfType(InvalidTypeIdException.class)
        .isThrownBy(() -> codec.decodeFact(bytes))
        .withMessageContaining("teleported");
    assertThatExceptionOfType(InvalidTypeIdException.class)
        .isThrownBy(() -> codec.decodeState(bytes));
  }

  @Test
  void isRefusedWithAFieldOfANewerVersion() throws IOException {
    var bytes =
        new CBORMapper()
            .writeValueAsBytes(List.of("started", Map.of("attempt", 1, "at", 0, "where", "x")));

    assertThatExceptionOfType(UnrecognizedPropertyException.class)
        .isThrownBy(() -> codec.decodeFact(bytes))
        .withMessageContaining("where");
  }

  @Test
  void isRefusedWithSomethingBehindIt() {
    var fact = codec.encode(JobSituations.ID, new JobFact.Started(1, JobSituations.NOW)).encoded();

    assertThatExceptionOfType(JsonProcessingException.class)
        .isThrownBy(() -> codec.decodeFact(Arrays.copyOf(fact, fact.length + 1)));
  }

  @Test
  void isNeverTakenForSomethingElseWhenBytesAreChanged() {
    var fact =
        codec.encode(JobSituations.ID, StoredSamples.facts().get("submitted-full")).encoded();

    RandomSeeds.each(
        500,
        random -> {
          var damaged = Arrays.copyOf(fact, fact.length);
          damaged[random.nextInt(fact.length)] ^= (byte) (1 << random.nextInt(8));
          try {
            codec.decodeFact(damaged);
          } catch (IOException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
          }
        });
  }

  @Test
  void isRefusedToItsSenderWhenItCannotBeEncoded() {
    var spec = JobSpec.of("lone \uD800 surrogate", Json.NULL);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                codec.encode(
                    JobSituations.ID, new JobFact.Submitted(spec, JobSituations.NOW, false)))
        .withMessageStartingWith("cannot be stored");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.encodeState(JobSituations.submitted(spec)))
        .withMessageStartingWith("cannot be stored");
  }

  /// The stored form may grow if necessary, but not by accident.
  @Test
  void isSmall() {
    assertThat(size("submitted")).isLessThanOrEqualTo(73);
    assertThat(size("claimed")).isLessThanOrEqualTo(66);
    assertThat(size("started")).isLessThanOrEqualTo(33);
    assertThat(size("succeeded")).isLessThanOrEqualTo(56);
    assertThat(codec.encodeState(JobSituations.succeeded())).hasSizeLessThanOrEqualTo(420);
  }

  private int size(String name) {
    return codec.encode(JobSituations.ID, StoredSamples.facts().get(name)).encoded().length;
  }
}
