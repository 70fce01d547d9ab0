package dev.handoff.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.Backoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.RetryRule;
import dev.handoff.internal.facade.JobSpecs;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.testing.JacksonMappers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request as JSON")
class JobRequestJsonTest {

  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void needsOnlyAType() {
    var spec = spec("{\"type\":\"noop\"}");

    assertThat(spec).isEqualTo(JobSpec.of("noop", Json.NULL));
  }

  @Test
  void hasAFieldForEverything() {
    var spec =
        spec(
            """
            {"type":"mail","payload":{"to":"a"},"queue":"out","priority":-3,"key":"k","delay":"2s","timeout":"PT1M",
             "heartbeatTimeout":"500ms","maxAttempts":7,"backoff":"250ms","labels":{"team":"a","run":"7"}}
            """);

    assertThat(spec.type()).isEqualTo("mail");
    assertThat(spec.payload()).hasToString("{\"to\":\"a\"}");
    assertThat(spec.queue()).isEqualTo("out");
    assertThat(spec.priority()).isEqualTo(-3);
    assertThat(spec.key()).isEqualTo("k");
    assertThat(spec.runAt()).isEqualTo(NOW.plusSeconds(2));
    assertThat(spec.options().timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(spec.options().heartbeatTimeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(spec.options().maxAttempts()).isEqualTo(7);
    assertThat(spec.options().backoff()).isEqualTo(Backoff.fixed(Duration.ofMillis(250)));
    assertThat(spec.options().labels()).isEqualTo(Map.of("team", "a", "run", "7"));
  }

  /// Request as the body of an HTTP controller.
  @ParameterizedTest
  @EnumSource
  void isReadByAnyMapper(JacksonMappers mapper) {
    var json = "{\"type\":\"mail\",\"payload\":{\"to\":[1,null]},\"timeout\":\"PT1M\"}";

    assertThat(JobSpecs.of(mapper.read(json, JobRequest.class), NOW, JsonFormat.standard()))
        .isEqualTo(spec(json));
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedByAnyMapperNamingTheField(JacksonMappers mapper) {
    assertThatThrownBy(() -> mapper.read("{\"typ\":\"mail\"}", JobRequest.class))
        .hasMessageContaining("typ: is not a field of a job");
    assertThatThrownBy(() -> mapper.read("{}", JobRequest.class))
        .hasMessageContaining("type: is missing");
  }

  @Test
  void takesNullForLeftOut() {
    var spec =
        spec(
            """
            {"type":"noop","payload":null,"queue":null,"priority":null,"key":null,"runAt":null,"delay":null,
             "timeout":null,"heartbeatTimeout":null,"maxAttempts":null,"backoff":null,"labels":null,"other":null}
            """);

    assertThat(spec).isEqualTo(JobSpec.of("noop", Json.NULL));
  }

  @Test
  void hasATimeWithItsZone() {
    assertThat(spec("{\"type\":\"noop\",\"runAt\":\"2031-01-01T02:00:00+02:00\"}").runAt())
        .isEqualTo(Instant.parse("2031-01-01T00:00:00Z"));
  }

  @Test
  void hasABackoffThatGrowsOrNone() {
    assertThat(spec("{\"type\":\"a\",\"backoff\":\"none\"}").options().backoff())
        .isEqualTo(Backoff.none());
    assertThat(spec("{\"type\":\"a\",\"backoff\":{}}").options().backoff())
        .isEqualTo(Backoff.DEFAULT);
    assertThat(
            spec("{\"type\":\"a\",\"backoff\":{\"first\":\"5s\",\"factor\":1.5,\"max\":\"1m\",\"jitter\":0}}")
                .options()
                .backoff())
        .isEqualTo(Backoff.exponential(Duration.ofSeconds(5), 1.5, Duration.ofMinutes(1), 0));
  }

  @Test
  void saysWhichFailuresAreTriedAgain() {
    var rule =
        "{\"type\":\"a\",\"retryIf\":{\"only\":[\"java.io.IOException\"],\"never\":[\"x.Y$Z\"]}}";

    assertThat(spec(rule).options().retryIf())
        .isEqualTo(new RetryRule(List.of("java.io.IOException"), List.of("x.Y$Z")));
    assertThat(spec("{\"type\":\"a\"}").options().retryIf()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ \"a\" : [ 1.0e5 , 12345678901234567890123456789 , -0 ] }",
        "\"text \\u00fc ü 😀 \\ud83d\\ude00\"",
        "17",
        "17.50",
        "true",
        "[]",
        "[{\"type\":\"not mine\",\"runAt\":5}]"
      })
  void keepsItsPayloadAsItWasWritten(String payload) {
    assertThat(spec("{\"payload\": " + payload + " ,\"type\":\"noop\"}").payload())
        .hasToString(payload);
    assertThat(spec("{\"type\":\"noop\",\"payload\":" + payload + "}").payload())
        .hasToString(payload);
  }

  @Test
  void hasTheKeyThatStandsInIt() {
    assertThat(JobRequestJson.read(bytes("{\"type\":\"noop\"}")).key()).isEmpty();
    assertThat(JobRequestJson.read(bytes("{\"type\":\"noop\",\"key\":\"given\"}")).key())
        .contains("given");
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        arguments("nothing", "", "a job is a JSON object"),
        arguments("a list", "[]", "a job is a JSON object"),
        arguments("null", "null", "a job is a JSON object"),
        arguments("no JSON", "type=noop", "Unrecognized token"),
        arguments("single quotes", "{'type':'noop'}", "double-quote"),
        arguments("a comment", "{\"type\":\"noop\"/*x*/}", "(at character 15)"),
        arguments(
            "the end missing",
            "{\"type\":\"noop\"",
            "end-of-input: expected close marker for Object (at character 14)"),
        arguments("trailing data", "{\"type\":\"noop\"} x", "Unrecognized token 'x'"),
        arguments(
            "two objects",
            "{\"type\":\"noop\"}{\"type\":\"noop\"}",
            "something follows the end of the object (at character 16)"),
        arguments("a byte order mark", "\uFEFF{\"type\":\"noop\"}", "byte order mark"),
        arguments("NaN", "{\"type\":\"noop\",\"payload\":NaN}", "NaN"),
        arguments(
            "a number beyond doubles",
            "{\"type\":\"noop\",\"payload\":1e999999999}",
            "beyond what a double holds (at character 26)"),
        arguments(
            "a number without end",
            "{\"type\":\"noop\",\"payload\":" + "1".repeat(2_000) + "}",
            "payload: a number of 2000 characters is too long (at character 26)"),
        arguments(
            "half a surrogate pair",
            "{\"type\":\"noop\",\"payload\":\"\\ud800\"}",
            "half a surrogate pair"),
        arguments(
            "half a pair in a name",
            "{\"type\":\"noop\",\"payload\":{\"\\udc00\":1}}",
            "half a surrogate pair"),
        arguments("NUL", "{\"type\":\"noop\",\"payload\":[\"a\\u0000b\"]}", "NUL"),
        arguments("a bare NUL", "{\"type\":\"no\0op\"}", "CTRL-CHAR, code 0"),
        arguments("UTF-16 in disguise", "{\0\"\0t\0", "CTRL-CHAR, code 0"),
        arguments(
            "a name twice",
            "{\"type\":\"noop\",\"type\":\"exec\"}",
            "the field \"type\" is there twice (at character 16)"),
        arguments(
            "a name twice, deep",
            "{\"type\":\"noop\",\"payload\":{\"a\":{\"b\":1,\"b\":2}}}",
            "payload: the field \"b\" is there twice (at character 38)"),
        arguments(
            "depth",
            "{\"type\":\"noop\",\"payload\":" + "[".repeat(100_000) + "}",
            "nesting depth"),
        arguments(
            "depth in a wrong field",
            "{\"type\":" + "{\"a\":".repeat(100_000) + "1}",
            "nesting depth"),
        arguments(
            "depth in an unknown field", "{\"x\":" + "[".repeat(100_000) + "}", "nesting depth"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformed")
  void isRefusedWithThePlaceWhenItIsMalformed(String what, String text, String why) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> JobRequestJson.read(bytes(text)))
        .withMessageContaining(why)
        .withMessageMatching("(?s).*(at character \\d+\\)|without one)")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
  }

  @Test
  void isRefusedWithThePlaceWhenItIsNotUtf8() {
    var broken = bytes("{\"type\":\"nXop\"}");
    broken[10] = (byte) 0xFF;
    var surrogates = new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};

    assertThatThrownBy(() -> JobRequestJson.read(broken)).hasMessage("not UTF-8 (at byte 11)");
    assertThatThrownBy(() -> JobRequestJson.read(surrogates)).hasMessage("not UTF-8 (at byte 2)");
  }

  static Stream<Arguments> wrongFields() {
    return Stream.of(
        arguments("{}", "type: is missing"),
        arguments("{\"type\":5}", "type: must be text in quotes"),
        arguments("{\"type\":[\"a\"]}", "type: must be text in quotes"),
        arguments(
            "{\"type\":\"a\",\"color\":{\"a\":[1]}}",
            "color: is not a field of a job; known: type, payload"),
        arguments("{\"type\":\"a\",\"priority\":1.5}", "priority: must be a whole number"),
        arguments("{\"type\":\"a\",\"priority\":\"1\"}", "priority: must be a whole number"),
        arguments(
            "{\"type\":\"a\",\"priority\":99999999999}", "priority: 99999999999 is too large"),
        arguments("{\"type\":\"a\",\"maxAttempts\":true}", "maxAttempts: must be a whole number"),
        arguments("{\"type\":\"a\",\"delay\":\"soon\"}", "delay: \"soon\" is not a duration"),
        arguments("{\"type\":\"a\",\"delay\":5}", "delay: must be text in quotes"),
        arguments("{\"type\":\"a\",\"timeout\":\"-5s\"}", "timeout: \"-5s\" is not a duration"),
        arguments("{\"type\":\"a\",\"runAt\":\"tomorrow\"}", "runAt: \"tomorrow\" is not a time"),
        arguments(
            "{\"type\":\"a\",\"runAt\":\"2030-01-01T00:00:00\"}",
            "runAt: \"2030-01-01T00:00:00\" is not a time"),
        arguments(
            "{\"type\":\"a\",\"runAt\":\"2030-01-01T00:00:00Z\",\"delay\":\"1s\"}",
            "delay: cannot stand beside runAt"),
        arguments("{\"type\":\"a\",\"labels\":[]}", "labels: must be an object"),
        arguments("{\"type\":\"a\",\"labels\":{\"x\":1}}", "labels.x: must be text in quotes"),
        arguments("{\"type\":\"a\",\"backoff\":\"fast\"}", "backoff: \"fast\" is not a duration"),
        arguments(
            "{\"type\":\"a\",\"backoff\":{\"first\":\"1s\",\"speed\":2}}",
            "backoff.speed: is not a field of backoff; known: first"),
        arguments(
            "{\"type\":\"a\",\"backoff\":{\"factor\":\"2\"}}", "backoff.factor: must be a number"),
        arguments(
            "{\"type\":\"a\",\"backoff\":{\"factor\":0.5}}", "backoff: backoff factor must be"),
        arguments("{\"type\":\"a\u202Eb\"}", "type \"a\\u202eb\" is not a name"),
        arguments("{\"type\":\"a\",\"queue\":\"\\u202e\"}", "queue \"\\u202e\" is not a name"),
        arguments("{\"type\":\"a\",\"queue\":\"a b\"}", "queue \"a b\" is not a name"),
        arguments(
            "{\"type\":\"a\",\"labels\":{\"\\u202e\":\"x\"}}", "label \"\\u202e\" is not a name"),
        arguments("{\"type\":\"a\",\"key\":\"\"}", "key \"\" must have"),
        arguments("{\"type\":\"a\",\"maxAttempts\":0}", "maxAttempts must be 1 to 10000"),
        arguments("{\"type\":\"a\",\"timeout\":\"400d\"}", "timeout must be 1ms to"),
        arguments(
            "{\"type\":\"a\",\"payload\":\"" + "x".repeat(300 * 1024) + "\"}",
            "payload is larger than 262144 bytes"));
  }

  @ParameterizedTest
  @MethodSource("wrongFields")
  void isRefusedWithTheFieldThatIsWrong(String text, String why) {
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> JobRequestJson.read(bytes(text)))
        .satisfies(e -> assertThat(e.problems()).singleElement().asString().startsWith(why));
  }

  @Test
  void isRefusedWithAllFieldsThatAreWrong() {
    var text =
        "{\"priority\":\"high\",\"colour\":1,\"labels\":{\"a\":1,\"b\":\"fine\"},\"timeout\":\"x\"}";

    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> JobRequestJson.read(bytes(text)))
        .extracting(InvalidRequestException::problems)
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(String.class))
        .extracting(problem -> problem.substring(0, problem.indexOf(':')))
        .isEqualTo(List.of("type", "priority", "colour", "labels.a", "timeout"));
  }

  @Test
  void isRefusedInFewWordsHoweverMuchIsWrong() {
    var names = IntStream.range(0, 50_000).mapToObj(name -> "\"%d\":1".formatted(name)).toList();
    var many = "{\"type\":\"a\"," + String.join(",", names) + "}";
    var large = "{\"type\":\"a\",\"" + "x".repeat(50_000) + "\":1}";

    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> JobRequestJson.read(bytes(many)))
        .satisfies(e -> assertThat(e.problems()).hasSize(20))
        .withMessageStartingWith("0: is not a field of a job");
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> JobRequestJson.read(bytes(large)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
  }

  private static JobSpec spec(String json) {
    return JobSpecs.of(JobRequestJson.read(bytes(json)), NOW, JsonFormat.standard());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
