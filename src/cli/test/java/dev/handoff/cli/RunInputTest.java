package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A file of jobs with a bad line")
class RunInputTest {

  private static final String GOOD = "{\"type\":\"noop\"}\n";

  @TempDir Path dir;

  static Stream<Arguments> badLines() {
    return Stream.of(
        arguments("{\"type\":\"noop\"", "end-of-input"),
        arguments("noop", "Unrecognized token 'noop'"),
        arguments("[]", "a job is a JSON object"),
        arguments("{\"type\":\"noop\"} {}", "something follows the end"),
        arguments(
            "{\"type\":\"noop\",\"type\":\"echo\"}",
            "the field \"type\" is there twice (at character 16)"),
        arguments("\uFEFF{\"type\":\"noop\"}", "byte order mark"),
        arguments("{\"type\":\"noop\",\"payload\":NaN}", "NaN"),
        arguments("{\"type\":\"noop\",\"payload\":1e999999999}", "beyond what a double holds"),
        arguments("{\"type\":\"echo\",\"payload\":\"\\ud800\"}", "half a surrogate pair"),
        arguments("{\"type\":\"echo\",\"payload\":\"\\u0000\"}", "NUL"),
        arguments("{\"type\":\"no\\u202Eop\"}", "type \"no\\u202eop\" is not a name"),
        arguments("{\"type\":\"noop\",\"queue\":\"\u202E\"}", "queue \"\\u202e\" is not a name"),
        arguments(
            "{\"type\":\"noop\",\"labels\":{\"\u202E\":\"x\"}}", "label \"\\u202e\" is not a name"),
        arguments("{\"type\":\"noop\",\"colour\":\"red\"}", "colour: is not a field of a job"),
        arguments("{\"type\":\"noop\",\"\\u001b[31m\":1}", "\\u001b[31m: is not a field of a job"),
        arguments("{\"type\":\"noop\",\"delay\":\"later\"}", "delay: \"later\" is not a duration"),
        arguments("{\"type\":\"noop\",\"priority\":\"high\"}", "priority: must be a whole number"),
        arguments("{\"type\":\"noop\",\"maxAttempts\":0}", "maxAttempts must be 1 to 10000"),
        arguments("{\"type\":\"sleep\"}", "payload: sleep needs either ms or duration, such as"),
        arguments("{\"type\":\"sleep\",\"payload\":{\"ms\":-1}}", "payload: ms must be 0 to"),
        arguments(
            "{\"type\":\"sleep\",\"payload\":{\"secs\":1}}",
            "payload.secs is not a field here; known: duration, ms"),
        arguments(
            "{\"type\":\"sleep\",\"payload\":{\"duration\":\"soon\"}}",
            "payload: \"soon\" is not a duration"),
        arguments(
            "{\"type\":\"fail\",\"payload\":{\"times\":\"two\"}}",
            "payload.times does not fit: it must be a whole number"),
        arguments("[".repeat(100_000), "a job is a JSON object"),
        arguments("{" + "\"type\":{".repeat(100_000), "nesting depth"),
        arguments(
            "{\"type\":\"noop\",\"labels\":{" + names(50_000) + "}}", "50000 labels, at most 32"),
        arguments(
            "{\"type\":\"echo\",\"payload\":{" + names(50_000) + "}}",
            "payload is larger than 262144 bytes"),
        arguments(
            "{\"type\":\"echo\",\"payload\":{" + names(1_000_000) + "}}",
            "is longer than 1048576 bytes"),
        arguments(
            "{\"type\":\"echo\",\"payload\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}",
            "nesting depth"),
        arguments(
            "{\"type\":\"echo\",\"payload\":\"" + "x".repeat(300 * 1024) + "\"}",
            "payload is larger than 262144 bytes"),
        arguments(
            "{\"type\":\"echo\",\"payload\":\"" + "x".repeat(2 << 20) + "\"}",
            "is longer than 1048576 bytes"));
  }

  private static String names(int count) {
    return IntStream.range(0, count)
        .mapToObj(name -> "\"%d\":\"x\"".formatted(name))
        .collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @MethodSource("badLines")
  void isRefusedWithTheLineAndTheFieldAndNothingOfItIsAccepted(String line, String why)
      throws IOException {
    var ran = run(GOOD + "\n" + line + "\n" + GOOD);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .startsWith("handoff: 1 invalid line; nothing was accepted\n  line 3: ")
        .contains(why)
        .doesNotContain("\tat ", "Exception", "\u001b", "\u202E")
        .hasSizeLessThan(600);
    assertThat(dir.resolve("data")).doesNotExist();
  }

  static Stream<Arguments> badPayloads() {
    return Stream.of(
        arguments("{\"type\":\"exec\"}", "payload: exec needs argv, the program and its arguments"),
        arguments(
            "{\"type\":\"exec\",\"payload\":{\"argv\":[\"date\",null]}}",
            "payload: exec needs argv"),
        arguments(
            "{\"type\":\"exec\",\"payload\":{\"argv\":\"date\"}}",
            "payload.argv does not fit: it must be a list"),
        arguments(
            "{\"type\":\"exec\",\"payload\":{\"argv\":[\"date\"],\"capture\":{}}}",
            "payload.capture: only a step of a plan can have it"),
        arguments(
            "{\"type\":\"exec\",\"payload\":{\"argv\":[\"date\"],\"capture\":3}}",
            "payload.capture"),
        arguments("{\"type\":\"http\"}", "payload: http needs a url, such as"),
        arguments(
            "{\"type\":\"http\",\"payload\":{\"url\":\"https://example.com\"}}",
            "payload: host \"example.com\" is not allowed; allowed: example.org"),
        arguments(
            "{\"type\":\"http\",\"payload\":{\"url\":\"https://example.org\",\"method\":\"EAT\"}}",
            "payload: method must be one of GET"),
        arguments(
            "{\"type\":\"http\",\"payload\":{\"url\":\"https://example.org\",\"timeout\":\"1\"}}",
            "payload: \"1\" is not a duration"));
  }

  @ParameterizedTest
  @MethodSource("badPayloads")
  void isRefusedWhereAProgramOrARequestCouldNeverBeOne(String line, String why) throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), GOOD + line);

    var ran =
        CliHarness.run(
            "run",
            file.toString(),
            "--data",
            dir.resolve("data").toString(),
            "--allow-exec",
            "--allow-http",
            "example.org");

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err())
        .startsWith("handoff: 1 invalid line; nothing was accepted\n  line 2: " + why);
    assertThat(dir.resolve("data")).doesNotExist();
  }

  @Test
  void isRefusedWhenItIsNotUtf8() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes("{\"type\":\"echo\",\"payload\":\"".getBytes(StandardCharsets.UTF_8));
    bytes.write(0xFF);
    bytes.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));
    Files.write(dir.resolve("jobs.ndjson"), bytes.toByteArray());

    var ran =
        CliHarness.run(
            "run", dir.resolve("jobs.ndjson").toString(), "--data", dir.resolve("data").toString());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("line 1: not UTF-8 (at byte 27)");
  }

  @Test
  void isRefusedWithAllItsBadLinesUpToASensibleNumber() throws IOException {
    var few = run("{}\n" + GOOD + "{\"type\":\"noop\",\"a\":1,\"b\":2}\n");
    var many = run("{}\n".repeat(1_000));

    assertThat(few.err().lines())
        .startsWith("handoff: 2 invalid lines; nothing was accepted", "  line 1: type: is missing")
        .hasSize(4);
    assertThat(many.err())
        .startsWith("handoff: 1000 invalid lines")
        .endsWith("(there may be more)\n");
    assertThat(many.err().lines()).hasSize(22);
  }

  @Test
  void isRefusedInJsonToo() throws IOException {
    Files.writeString(dir.resolve("jobs.ndjson"), "{}");

    var ran =
        CliHarness.run(
            "run",
            "--json",
            dir.resolve("jobs.ndjson").toString(),
            "--data",
            dir.resolve("data").toString());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err())
        .startsWith("{\"error\":\"1 invalid line")
        .contains("line 1: type: is missing");
  }

  @Test
  void thatNobodyCanRunIsRefusedWithTheTypeAndWhatWouldAllowIt() throws IOException {
    var ran =
        run(
            GOOD
                + "{\"type\":\"exec\",\"payload\":{\"argv\":[\"true\"]}}\n"
                + "{\"type\":\"http\"}\n{\"type\":\"mail\"}\n{\"type\":\"exec\"}\n");

    assertThat(ran.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.err().lines())
        .containsExactly(
            "handoff: these jobs cannot be run; nothing was accepted",
            "  type exec (line 2): is switched off; --allow-exec lets jobs start programs",
            "  type http (line 3): is switched off; --allow-http HOST lets jobs send requests to"
                + " that host",
            "  type mail (line 4): does not exist; known: echo, fail, noop, sleep");
    assertThat(dir.resolve("data")).doesNotExist();
  }

  @Test
  void isFoundInStandardInputToo() {
    var ran =
        CliHarness.withInput(GOOD + "{}", "run", "-", "--data", dir.resolve("data").toString());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("line 2: type: is missing");
  }

  @Test
  void isReadLineByLineHoweverTheLinesEnd() throws IOException {
    var lines = "one\r\n\r\n  \ntwo\n\nthree".getBytes(StandardCharsets.UTF_8);

    try (var reader = new LineReader(new java.io.ByteArrayInputStream(lines))) {
      var numbers =
          IntStream.range(0, 6)
              .mapToObj(
                  i -> {
                    try {
                      return reader.next();
                    } catch (IOException inMemory) {
                      throw new AssertionError(inMemory);
                    }
                  })
              .map(
                  line ->
                      line.number()
                          + ":"
                          + new String(line.bytes(), StandardCharsets.UTF_8)
                          + ":"
                          + line.isBlank());

      assertThat(numbers)
          .containsExactly(
              "1:one:false", "2::true", "3:  :true", "4:two:false", "5::true", "6:three:false");
      assertThat(reader.next()).isNull();
    }
  }

  private CliHarness.Ran run(String content) throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), content);
    return CliHarness.run("run", file.toString(), "--data", dir.resolve("data").toString());
  }
}
