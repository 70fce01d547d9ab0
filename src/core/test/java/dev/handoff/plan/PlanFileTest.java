package dev.handoff.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.Json;
import dev.handoff.RetryRule;
import dev.handoff.internal.facade.JobSpecs;
import dev.handoff.internal.facade.JsonFormat;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A plan file")
class PlanFileTest {

  private static final String SITE =
      """
      name: site
      maxParallel: 3
      failFast: true
      deadline: 10m
      steps:
        - name: home
          type: exec
          payload: {argv: [sh, -c, "echo hi"], capture: {}, n: 16}
          queue: pages
          priority: 2
          maxAttempts: 2
          timeout: 10s
          heartbeatTimeout: 5s
          backoff: 100ms
          retryIf: {never: [java.io.FileNotFoundException]}
          labels: {team: web}
          key: home
        - name: parts
          plan:
            name: inner
            steps:
              - {name: a, type: noop}
              - {name: b, type: noop, after: a}
        - name: index
          after: [home, parts]
          type: noop
          delay: 1s
      """;

  private static PlanFile yaml(String text) {
    return PlanFile.parse("site.yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  private static PlanFile json(String text) {
    return PlanFile.parse("site.json", text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> problems(String text) {
    var wrong = catchThrowableOfType(InvalidRequestException.class, () -> yaml(text));
    assertThat(wrong).as(text).isNotNull();
    return wrong.problems();
  }

  private static PlanDraft.Step step(String text) {
    var file = yaml(text);
    var request = ((PlanRequest.JobStep) file.request().steps().getFirst()).job();
    return PlanDraft.Step.job(
        "a", List.of(), JobSpecs.of(request, Instant.EPOCH, JsonFormat.standard()));
  }

  @Test
  void hasAFieldForEverything() {
    var file = yaml(SITE);

    var steps = file.request().steps();
    assertThat(file.request().name()).isEqualTo("site");
    assertThat(file.request().maxParallel()).isEqualTo(3);
    assertThat(file.request().failFast()).isTrue();
    assertThat(file.request().deadline()).contains(Duration.ofMinutes(10));
    assertThat(steps).extracting(PlanRequest.Step::name).containsExactly("home", "parts", "index");
    var home = ((PlanRequest.JobStep) steps.getFirst()).job();
    var spec = JobSpecs.of(home, Instant.EPOCH, JsonFormat.standard());
    assertThat(spec.payload().toString())
        .isEqualTo("{\"argv\":[\"sh\",\"-c\",\"echo hi\"],\"capture\":{},\"n\":16}");
    assertThat(spec.queue()).isEqualTo("pages");
    assertThat(spec.priority()).isEqualTo(2);
    assertThat(spec.options().maxAttempts()).isEqualTo(2);
    assertThat(spec.options().timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(spec.options().heartbeatTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(spec.options().backoff()).isEqualTo(Backoff.fixed(Duration.ofMillis(100)));
    assertThat(spec.options().labels()).containsEntry("team", "web");
    assertThat(spec.options().retryIf())
        .isEqualTo(new RetryRule(List.of(), List.of("java.io.FileNotFoundException")));
    assertThat(home.key()).contains("home");
    var inner = ((PlanRequest.PlanStep) steps.get(1)).plan();
    assertThat(inner.steps().get(1).after().steps()).containsExactly("a");
    assertThat(steps.get(2).after().steps()).containsExactly("home", "parts");
    assertThat(file.lines()).containsEntry("home", 6).containsEntry("parts/b", 23);
  }

  @Test
  void mayBeJson() {
    var file =
        json(
            """
            {"name": "site", "deadline": null, "steps": [
              {"name": "a", "type": "echo", "payload": {"n": 1.50, "deep": [[[null, true, false]]]}, "after": null}
            ]}
            """);

    assertThat(file.request().name()).isEqualTo("site");
    assertThat(step("name: p\nsteps: [{name: a, type: echo, payload: {n: 1.50, yes: true}}]").job())
        .satisfies(job -> assertThat(job.payload()).hasToString("{\"n\":1.50,\"yes\":true}"));
    var bare = "{\"name\":\"p\",\"steps\":[{\"name\":\"a\",\"type\":\"noop\"}]}";
    assertThat(PlanFile.parse("-", bare.getBytes(StandardCharsets.UTF_8)).lines())
        .containsEntry("a", 1);
  }

  @Test
  void isReadFromADirectory(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("site.yml"), SITE);

    assertThat(PlanFile.read(file).request().name()).isEqualTo("site");
    assertThat(catchThrowable(() -> PlanFile.read(folder.resolve("none.yaml"))))
        .isInstanceOf(IOException.class);
  }

  @Test
  void placesTheProblemsOfASubmission() {
    var engine =
        Handoff.builder()
            .handler("exec", Json.class, (payload, job) -> payload)
            .handler("noop", Integer.class, (payload, job) -> payload);

    assertThat(engine.misfit(yaml(SITE)))
        .containsInstanceOf(PlanSubmission.Invalid.class)
        .get(InstanceOfAssertFactories.type(PlanSubmission.Invalid.class))
        .extracting(PlanSubmission.Invalid::problems, InstanceOfAssertFactories.list(String.class))
        .containsExactly(
            "site.yaml: line 22: step parts/a: payload is missing: it must be a whole number",
            "site.yaml: line 23: step parts/b: payload is missing: it must be a whole number",
            "site.yaml: line 24: step index: payload is missing: it must be a whole number");
  }

  @Test
  void tellsEverythingThatIsWrongWithItsLine() {
    var problems =
        problems(
            """
            name: site
            colour: red
            maxParallel: 51
            failFast: maybe
            deadline: soon
            steps:
              - name: a
                type: noop
                maxAttempts: 0
                colour: red
              - name: b
                typ: noop
              - name: c
                type: noop
                plan: {name: x, steps: []}
              - noop
              - name: p
                plan:
                  name: q
                  steps:
                    - name: d
                      type: noop
                      after: {x: 1}
                      payload: {deep: [1, 2]}
                      timeout: 5
              - type: noop
              - plan: {name: y}
            """);

    assertThat(problems)
        .allSatisfy(problem -> assertThat(problem).startsWith("site.yaml: line "))
        .anySatisfy(
            at ->
                assertThat(at)
                    .contains("line 2: colour: is not a field of a plan; known: name, max"))
        .anySatisfy(at -> assertThat(at).contains("line 3: maxParallel: must be 1 to 50, was 51"))
        .anySatisfy(at -> assertThat(at).contains("line 4: failFast: must be true or false"))
        .anySatisfy(at -> assertThat(at).contains("line 5: deadline: \"soon\" is not a duration"))
        .anySatisfy(
            at -> assertThat(at).contains("line 10: step a: colour: is not a field of a step"))
        .anySatisfy(at -> assertThat(at).contains("line 12: step b: typ: is not a field"))
        .anySatisfy(at -> assertThat(at).contains("line 16: a step is an object"))
        .anySatisfy(at -> assertThat(at).contains("line 23: step p/d: after: must be the name"))
        .anySatisfy(at -> assertThat(at).contains("line 27: step ?: steps: is missing"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: p, steps: [{name: a, type: noop, maxAttempts: 0}]} | step a: maxAttempts must be 1",
        "{name: p, steps: [{name: a, type: noop, timeout: 5}]} | step a: timeout: must be text",
        "{name: p, steps: [{name: a, type: noop, runAt: '2030-01-01T00:00:00Z', delay: 1s}]} |"
            + " delay: cannot stand beside runAt",
        "{name: p, steps: [{name: a}]} | step a: type: is missing, or plan",
        "{name: p, steps: [{type: noop}]} | name: is missing",
        "{name: p, steps: [{name: a, type: noop, plan: {name: q, steps: [{name: b, type: noop}]}}]}"
            + " | type: cannot stand beside plan",
        "{name: p, steps: [{name: a, type: noop, after: b}]} | step a: it is after \"b\", and there"
            + " is no such step",
        "{name: p, steps: [{name: a, type: noop, after: b}, {name: b, type: noop, after: a}]} | a →"
            + " b → a",
        "{name: p, steps: [{name: a, type: noop}, {name: a, type: noop}]} | \"a\" is there twice",
        "{name: p, steps: [{name: a, type: noop, key: k}, {name: b, type: noop, key: k}]} | step b:"
            + " key \"k\" belongs to step a",
        "{name: p, steps: [{name: a/b, type: noop}]} | is not a name",
        "{name: p, steps: []} | it has no steps",
        "{name: p} | steps: is missing",
        "{steps: [{name: a, type: noop}]} | name: is missing",
        "{name: 7, steps: [{name: a, type: noop}]} | name: must be text",
        "{name: p, steps: {}} | steps: must be a list",
        "{name: p, steps: [{name: a, plan: 3}]} | step a: plan: must be a plan",
        "{name: p, steps: [{name: a, type: noop, after: [1]}]} | after: must be names of steps",
        "{name: p, maxParallel: 99999999999, steps: [{name: a, type: noop}]} | maxParallel: must be"
            + " 1 to 50, was 99999999999",
        "{name: p, maxParallel: x, steps: [{name: a, type: noop}]} | maxParallel: must be a whole"
            + " number",
        "{name: p, deadline: 400d, steps: [{name: a, type: noop}]} | deadline must be",
        "{name: p, name: q, steps: [{name: a, type: noop}]} | the field \"name\" is there twice",
        "{name: p, steps: [{name: a, type: noop, payload: {x: 1, x: 2}}]} | step a: payload: the"
            + " field \"x\" is there twice",
        "{name: p, steps: [{name: a, type: noop, payload: .nan}]} | is not a number",
        "{name: p, steps: [{name: a, type: noop, payload: -.inf}]} | is not a number",
        "{name: p, steps: [{name: a, type: noop, payload: 0x10}]} | 0x10 is not a number as JSON",
        "{name: p, steps: [{name: a, type: noop, payload: 010}]} | 010 is not a number as JSON",
        "{name: p, steps: [{name: a, type: noop, payload: 1_000}]} | 1_000 is not a number as JSON",
        "{name: p, failFast: yes, steps: [{name: a, type: noop}]} | yes is not read alike",
        "{name: p, steps: [{name: a, type: noop, payload: 1.0e+999}]} | beyond what a double holds",
        "{name: p, steps: [{name: &n a, type: *n}]} | aliases",
        "{name: p, steps: [{name: a, type: noop, payload: !!binary aGk=}]} | tags",
        "{name: !x p, steps: []} | tags",
        "{!x name: p, steps: []} | tags",
        "{name: p, steps: [{name: a, type: noop, payload: {<<: {x: 1}}}]} | merged fields",
        "{name: p, failFast: false, steps: [{name: a, type: noop, payload: false, x: [1, {y: 2}]}]}"
            + " | x: is not a field",
        "{name: p, [a]: b} | Expected a field name (Scalar value in YAML)",
        "[a] | a plan is an object",
        "just text | a plan is an object",
        "{name: p, steps: [ | line 1",
      })
  void isRefusedForWhatIsWrong(String text, String words) {
    assertThat(problems(text)).anySatisfy(problem -> assertThat(problem).contains(words));
  }

  /// YAML 1.1 and 1.2 read these words differently, or JSON cannot express them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "y",
        "N",
        "on",
        "Off",
        "yes",
        "No",
        "True",
        "08",
        "010",
        "0o7",
        "0x10",
        "0b1",
        "1_000",
        "+1",
        "12:30",
        "1:30:00",
        ".5",
        "5.",
        ".inf",
        ".NaN",
        "1e3",
        "-1.5e3",
        "2E+4",
        "2030-01-31",
        "2030-01-31T08:00:00Z",
        "2030-1-31 8:00:00.5 +2",
        "&anchor y"
      })
  void isRefusedForWordsThatAreNotReadAlike(String word) {
    assertThat(
            problems(
                "name: p\nsteps:\n- {name: é😀, type: a}\n- {name: a, payload: [" + word + "]}"))
        .anySatisfy(
            problem -> assertThat(problem).startsWith("site.yaml: line 4: step a: payload: "));
    var quoted = "payload: ['%1$s', \"%1$s\", &b '%1$s']}]}".formatted(word.replace("&", ""));
    assertThat(step("{name: p, steps: [{name: a, type: echo, " + quoted).job().payload())
        .hasToString("[\"%1$s\",\"%1$s\",\"%1$s\"]".formatted(word.replace("&", "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"yellow", "5m", "1.0.0", "2030-13", "30-01-31", "1e", "e3", "a:1", "on the way"})
  void takesWordsThatAreTextForEverybody(String word) {
    var text = "{name: p, steps: [{name: a, type: echo, payload: [" + word + "]}]}";

    assertThat(step(text).job().payload()).hasToString("[\"" + word + "\"]");
  }

  /// A time is meant there by every reader.
  @Test
  void mayHaveAnUnquotedTimeInRunAt() {
    var times = "{name: p, steps: [{name: a, type: t, runAt: %s}]}";

    assertThat(step(times.formatted("2030-01-31T08:00:00Z")).job().runAt())
        .isEqualTo(Instant.parse("2030-01-31T08:00:00Z"));
    assertThat(step(times.formatted("'2030-01-31T08:00:00Z'")).job().runAt())
        .isEqualTo(Instant.parse("2030-01-31T08:00:00Z"));
    assertThat(problems(times.formatted("2030-01-31")))
        .containsExactly(
            "site.yaml: line 1: step a: runAt: \"2030-01-31\" is not a time: write"
                + " 2030-01-31T08:00:00Z or 2030-01-31T08:00:00+02:00");
  }

  @ParameterizedTest
  @CsvSource({
    "key: 2030-01-31, key: 2030-01-31",
    "key: 1e3, key: 1e3",
    "labels: {day: 2030-01-31} , labels.day: 2030-01-31",
    "payload: {day: [2030-01-31]}, payload: 2030-01-31",
    "after: 2030-01-31, after: 2030-01-31",
    "priority: 1e1, priority: 1e1"
  })
  void isRefusedForADateOrAPowerOfTenWhereTextIsMeant(String field, String words) {
    assertThat(problems("name: p\nsteps:\n- {name: a, type: t, " + field + "}"))
        .singleElement()
        .asString()
        .startsWith("site.yaml: line 3: step a: " + words + " is not read alike by everybody: ");
  }

  @Test
  void mayHavePowersOfTenThatAreNumbersForEverybody() {
    var text = "{name: p, steps: [{name: a, type: t, payload: [1.0e+3, -2.5E-10]}]}";

    assertThat(step(text).job().payload()).hasToString("[1.0e+3,-2.5E-10]");
    assertThat(
            ((PlanRequest.JobStep)
                    json("{\"name\":\"p\",\"steps\":[{\"name\":\"a\",\"type\":\"t\",\"payload\":1e3}]}")
                        .request()
                        .steps()
                        .getFirst())
                .job()
                .payload())
        .hasToString("1e3");
  }

  @Test
  void takesNamesOfFieldsAsTheyAreWritten() {
    var text = "{name: p, steps: [{name: a, type: echo, payload: {y: 1, on: 2, 010: 3, ~: 4}}]}";

    assertThat(step(text).job().payload()).hasToString("{\"y\":1,\"on\":2,\"010\":3,\"~\":4}");
  }

  @Test
  void tellsAlsoWhatParsersStopAtTogetherWithItsStep() {
    var problems =
        problems(
            """
            name: p
            maxParallel: 3
            maxParallel: 4
            steps:
              - {name: a, type: noop, payload: .nan}
              - {name: b, type: noop, type: echo}
              - {payload: {deep: [yes, !x 1]}, type: noop, name: c}
              - {name: d, type: *a}
            """);

    assertThat(problems)
        .satisfiesExactlyInAnyOrder(
            at -> assertThat(at).contains("line 3: the field \"maxParallel\" is there twice"),
            at -> assertThat(at).contains("line 5: step a: payload: .nan is not a number"),
            at -> assertThat(at).contains("line 6: step b: the field \"type\" is there twice"),
            at -> assertThat(at).contains("line 7: step c: payload: yes is not read alike"),
            at -> assertThat(at).contains("line 7: step c: payload: tags"),
            at -> assertThat(at).contains("line 8: step d: type: aliases"));
  }

  @Test
  void tellsWhatIsWrongBeforeThePlaceWhereItIsMalformed() {
    var problems =
        problems(
            """
            name: p
            colour: red
            steps:
              - {name: a, type: noop, timeout: 5}
              - name: b
                labels: {x: 1, y: [}
            """);

    assertThat(problems)
        .hasSize(5)
        .startsWith(
            "site.yaml: line 2: colour: is not a field of a plan; known: name, maxParallel,"
                + " failFast, deadline, steps",
            "site.yaml: line 4: step a: timeout: must be text in quotes",
            "site.yaml: line 6: step b: labels.x: must be text in quotes",
            "site.yaml: line 6: step b: labels.y: must be text in quotes")
        .last()
        .asString()
        .startsWith("site.yaml: line 6: ");
  }

  @Test
  void mayNameAStepAfterItsPlan() {
    var file =
        yaml("name: p\nsteps:\n- plan: {name: q, steps: [{type: noop, name: b}]}\n  name: a");

    assertThat(file.lines()).containsOnly(Map.entry("a", 3), Map.entry("a/b", 3));
  }

  @Test
  void keepsThePayloadsOfAJsonFileWithoutItsWhiteSpace() {
    var text =
        """
        {"name": "p", "steps": [{"name": "a", "type": "t", "payload": {
          "n": [1.50, 10000000000000000000000, -0],
          "t": "\\u00fc \\"x\\""
        }}]}
        """;
    var job = ((PlanRequest.JobStep) json(text).request().steps().getFirst()).job();

    assertThat(job.payload())
        .hasToString("{\"n\":[1.50,10000000000000000000000,-0],\"t\":\"ü \\\"x\\\"\"}");
  }

  @Test
  void tellsTheOrderOfStepsWithTheSameName() {
    var problems =
        problems(
            """
            name: p
            steps:
              - {name: a, type: noop, after: x}
              - {name: b, type: noop}
              - name: a
                type: noop
                after:
                  - b
                  - z
              - {name: b, typ: noop}
            """);

    assertThat(problems)
        .containsExactly(
            "site.yaml: line 3: step a: it is after \"x\", and there is no such step",
            "site.yaml: line 5: plan: step \"a\" is there twice",
            "site.yaml: line 9: step a: it is after \"z\", and there is no such step",
            "site.yaml: line 10: step b: type: is missing, or plan",
            "site.yaml: line 10: step b: typ: is not a field of a step; known: name, after, plan,"
                + " type, payload, queue, priority, key, runAt, delay, timeout, heartbeatTimeout,"
                + " maxAttempts, backoff, retryIf, labels",
            "site.yaml: line 10: plan: step \"b\" is there twice");
  }

  @Test
  void tellsWhereStepsWaitForEachOther() {
    var problems =
        problems(
            """
            name: no name
            steps:
              - {name: a, type: noop, after: c}
              - {name: b, type: noop, after: [b, a]}
              - {name: c, type: noop, after: b}
              - {name: a, type: noop}
              - {name: d d, type: noop}
              - name: e
                plan: {name: q, steps: []}
              - name: f
                plan:
                  name: r
                  steps:
                    - {name: u, type: noop, after: v}
                    - {name: v, type: noop, after: u}
            """);

    assertThat(problems)
        .contains(
            "site.yaml: line 4: step b: after: it would wait for itself",
            "site.yaml: line 6: plan: step \"a\" is there twice",
            "site.yaml: line 8: step e: it has no steps",
            "site.yaml: line 14: step f: its steps wait for each other: u → v → u")
        .anySatisfy(at -> assertThat(at).contains("line 1: plan: name \"no name\" is not a name"))
        .anySatisfy(at -> assertThat(at).contains("line 7: plan: step \"d d\" is not a name"));
  }

  @Test
  void showsBothEndsOfALongCircle() {
    var many = new StringBuilder("name: p\nsteps:\n");
    for (int i = 0; i < 5_000; i++) {
      many.append("- {name: s%d, type: noop, after: s%d}\n".formatted(i, (i + 1) % 5_000));
    }

    assertThat(problems(many.toString()))
        .singleElement()
        .asString()
        .hasSizeLessThan(400)
        .contains(" → … 4,981 more … → ")
        .containsPattern("line \\d+: plan: its steps wait");
  }

  /// Messages must not mention settings, classes or methods of a parser.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "name: p\nsteps: [{name: a, type: noop}\nx: 1",
        "name: p\n  steps: 3",
        "a: b: c",
        "{name: p}}",
        "name: 'p",
        "\tname: p",
        "name: p\nsteps: @x",
        "%YAML 3.0\n---\nname: p"
      })
  void namesNothingOfTheInsidesOfParsers(String text) {
    assertThat(problems(text)).isNotEmpty().allSatisfy(PlanFileTest::isForPeople);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\": /* x */ \"p\"}",
        "{\"name\": 'p'}",
        "{name: \"p\"}",
        "{\"name\": \"p\",}",
        "{\"name\": NaN}",
        "{\"name\": +1}",
        "{\"name\": 01}",
        "{\"name\": \"p\n\"}",
        "{\"name\": \"\\x\"}",
        "{\"name\": \"p\" # x\n}"
      })
  void namesNothingOfTheInsidesOfParsersOfJson(String text) {
    assertThat(catchThrowableOfType(InvalidRequestException.class, () -> json(text)).problems())
        .isNotEmpty()
        .allSatisfy(PlanFileTest::isForPeople);
  }

  private static void isForPeople(String problem) {
    assertThat(problem)
        .contains("line ")
        .doesNotContain("org.yaml", "ALLOW_", "Feature", "Constraints", "()", "com.fasterxml");
  }

  @Test
  void hasNoEndlessNumbers() {
    assertThat(
            problems(
                "{name: p, steps: [{name: a, type: noop, payload: " + "1".repeat(1_001) + "}]}"))
        .singleElement()
        .asString()
        .contains("1001 characters");
  }

  /// Empty values are null, as for every YAML reader.
  @Test
  void isNotReadWhereTooManyBracketsAreOpen() {
    var line = "[".repeat(400) + "]".repeat(400) + "\n";

    assertThat(problems("name: p\nsteps: [\n" + line.repeat(20_000)))
        .singleElement()
        .asString()
        .contains("too many brackets are open");
  }

  @Test
  void hasNothingWhereNothingIsWritten() {
    assertThat(step("name: p\nsteps: [{name: a, type: echo, payload: {a: , b: '', c: ~}}]").job())
        .satisfies(
            job -> assertThat(job.payload()).hasToString("{\"a\":null,\"b\":\"\",\"c\":null}"));
    assertThat(yaml("name: p\ndeadline:\nsteps:\n- name: a\n  type: noop\n  after:\n").lines())
        .containsEntry("a", 4);
    assertThat(problems("name:\nsteps: [{name: a, type: noop}]"))
        .singleElement()
        .asString()
        .contains("name: is missing");
  }

  /// Any very long line would take minutes to parse.
  @ParameterizedTest
  @ValueSource(strings = {"#x", "%x", "!x", ":", "n"})
  void hasNoEndlessLines(String of) {
    var endless = "name: p\r\n" + of.repeat(300_000 + 1) + "\nsteps: []";

    assertThat(problems(endless))
        .singleElement()
        .asString()
        .contains("line 2: is longer than 300,000 characters");
    assertThat(
            yaml("name: p\n#" + "x".repeat(300_000 - 1) + "\nsteps:\n" + "- {name: a, type: noop}")
                .lines())
        .containsEntry("a", 4);
  }

  @Test
  void isOneDocument() {
    assertThat(problems("---\nname: p\nsteps: [{name: a, type: noop}]\n---\nname: q\n"))
        .singleElement()
        .asString()
        .contains("something follows the end of the plan");
  }

  @Test
  void isRefusedIfItIsNoText() {
    assertThat(catchThrowable(() -> PlanFile.parse("a.yaml", new byte[] {(byte) 0xc3, 0x28})))
        .hasMessageContaining("a.yaml: not UTF-8");
    assertThat(problems("\uFEFFname: p")).singleElement().asString().contains("byte order mark");
    assertThat(problems("name: \"a\\0b\"\nsteps: [{name: a, type: noop}]"))
        .singleElement()
        .asString()
        .contains("name: text with a NUL");
    assertThat(problems("")).singleElement().asString().contains("a plan is an object");
    assertThat(catchThrowable(() -> json("{\"name\": NaN}"))).hasMessageContaining("line 1: ");
    assertThat(catchThrowable(() -> json("{\"name\": \"p\", \"name\": 1}")))
        .hasMessageContaining("the field \"name\" is there twice");
    assertThat(catchThrowable(() -> json("{\"name\": \"p\"} x"))).isNotNull();
  }

  @Test
  void isRefusedIfItIsTooLarge() {
    var large = new byte[PlanFile.MOST_BYTES + 1];

    assertThat(catchThrowable(() -> PlanFile.parse("a.yaml", large)))
        .hasMessageContaining("larger than 16,777,216 bytes");
    var many = new StringBuilder("name: p\nsteps:\n");
    for (int i = 0; i < 10_001; i++) {
      many.append("- {name: s").append(i).append(", type: noop}\n");
    }
    assertThat(problems(many.toString())).singleElement().asString().contains("10,000 steps");
  }

  /// Also for documents without any other error.
  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- ", "? ", "[{a: ", "!!x [", "&a ["})
  void isRefusedIfItIsNestedTooDeeply(String open) {
    var deep = "name: p\nsteps: [{name: a, type: noop, payload: " + open.repeat(100_000);

    assertThat(problems(deep)).isNotEmpty();
    assertThat(catchThrowable(() -> json("{\"name\":\"p\",\"x\":" + "[".repeat(100_000))))
        .hasMessageContaining("nesting depth");
  }

  @Test
  void hasAtMostAHundredPlansWithinEachOther() {
    var deep = "{name: p, steps: [{name: a, plan: ".repeat(101) + "0" + "}]}".repeat(101);

    assertThat(problems(deep)).singleElement().asString().contains("100 levels");
  }

  @Test
  void isNeverWorseThanRefused() {
    RandomSeeds.each(
        500,
        random -> {
          var bytes = (random.nextBoolean() ? SITE : asJson()).getBytes(StandardCharsets.UTF_8);
          for (int i = 0; i < 1 + random.nextInt(6); i++) {
            bytes = mutated(bytes, random);
          }
          var broken = bytes;
          var name = random.nextBoolean() ? "a.yaml" : "a.json";

          var thrown = catchThrowable(() -> PlanFile.parse(name, broken));

          assertThat(thrown == null || thrown instanceof InvalidRequestException)
              .as("%s for:%n%s", thrown, new String(broken, StandardCharsets.UTF_8))
              .isTrue();
        });
  }

  private static String asJson() {
    return """
    {"name": "site", "maxParallel": 3, "steps": [
      {"name": "a", "type": "echo", "payload": {"n": 1.5e3, "t": "x"}, "timeout": "1s"},
      {"name": "b", "after": ["a"], "plan": {"name": "q", "steps": [{"name": "c", "type": "noop"}]}}]}
    """;
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    var parts =
        List.of(
            "[",
            "{",
            "}",
            "]",
            ":",
            "- ",
            "&a ",
            "*a",
            "!!x ",
            "|",
            ">",
            "%",
            "\t",
            "\"",
            "'",
            "#",
            "\u0000",
            "1e9999",
            "? ",
            "\uD83D\uDE00",
            "0x",
            "---\n",
            "<<: ");
    int at = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, at + random.nextInt(20));
    var insert = parts.get(random.nextInt(parts.size())).getBytes(StandardCharsets.UTF_8);
    return switch (random.nextInt(4)) {
      case 0 -> joined(bytes, at, insert, at);
      case 1 -> joined(bytes, at, new byte[0], to);
      case 2 -> joined(bytes, to, java.util.Arrays.copyOfRange(bytes, at, to), to);
      default -> joined(bytes, at, new byte[] {(byte) random.nextInt(256)}, at + 1);
    };
  }

  private static byte[] joined(byte[] bytes, int end, byte[] middle, int from) {
    var joined = new java.io.ByteArrayOutputStream();
    joined.write(bytes, 0, end);
    joined.writeBytes(middle);
    joined.write(bytes, from, bytes.length - from);
    return joined.toByteArray();
  }
}
