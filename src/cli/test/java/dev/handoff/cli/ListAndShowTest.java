package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Exact output of `list` and `show` for one store, except for ids and times.
@DisplayName("list and show")
class ListAndShowTest {

  private static final String JOBS =
      """
      {"type":"echo","key":"plain","payload":{"a":[1,2.50]},"queue":"mail","priority":3,"labels":{"team":"a","run":"7"}}
      {"type":"fail","key":"twice","payload":{"message":"out of \\u001b[31mpaper","times":2},"backoff":"1ms"}
      {"type":"fail","key":"lost","payload":{"message":"gone\\nfor good"},"maxAttempts":1,"timeout":"1m","heartbeatTimeout":"30s"}
      {"type":"sleep","key":"slow","payload":{"ms":60000},"timeout":"30ms","maxAttempts":1}
      """;
  private static final String LATER =
      "{\"type\":\"noop\",\"key\":\"later\",\"runAt\":\"2099-01-01T00:00:00Z\"}\n";

  @TempDir static Path dir;

  private static String data;

  @BeforeAll
  static void makeStore() throws IOException {
    data = dir.resolve("data").toString();
    run(JOBS);
    // The run stops at a failure, so that the delayed job remains.
    run(LATER + "{\"type\":\"fail\",\"key\":\"end\",\"maxAttempts\":1}\n", "--max-failures", "1");
  }

  @Test
  void listsTheNewestFirst() {
    var ran = CliHarness.run("list", "--data", data);

    assertThat(ran.exitCode()).isZero();
    assertThat(anonymous(ran.out()))
        .isEqualTo(
            """
            ID                          STATUS     TYPE   STARTS  CREATED              FINISHED             QUEUE    PRIO  KEY
            <id>  failed     fail   1/1     <time>  <time>  default  0     end
            <id>  scheduled  noop   0/3     <time>                       default  0     later
            <id>  failed     sleep  1/1     <time>  <time>  default  0     slow
            <id>  failed     fail   1/1     <time>  <time>  default  0     lost
            <id>  succeeded  fail   3/3     <time>  <time>  default  0     twice
            <id>  succeeded  echo   1/3     <time>  <time>  mail     3     plain
            """);
  }

  @Test
  void listsPageByPage() {
    var seen = new ArrayList<String>();
    var page = CliHarness.run("list", "--data", data, "--limit", "2");
    keysOf(page).forEach(seen::add);
    while (page.out().contains("more: ")) {
      page = TypedCommand.again(page, "more: ");
      keysOf(page).forEach(seen::add);
    }

    assertThat(seen).containsExactly("end", "later", "slow", "lost", "twice", "plain");
  }

  private static Stream<String> keysOf(CliHarness.Ran page) {
    return page.out()
        .lines()
        .filter(line -> line.startsWith("0"))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1));
  }

  @Test
  void namesTheNextPageWithAllThatWasAskedFor() {
    var page = CliHarness.run("list", "--data", data, "--limit", "1", "--type", "fail");

    assertThat(TypedCommand.words(page, "more: "))
        .containsSubsequence("--limit", "1", "--type", "fail", "--data", data);
    assertThat(keysOf(TypedCommand.again(page, "more: "))).containsExactly("lost");
  }

  @Test
  void listsWhatIsAskedFor() throws IOException {
    assertThat(keys("--status", "failed")).containsExactly("end", "slow", "lost");
    assertThat(keys("--status", "scheduled")).containsExactly("later");
    assertThat(keys("--type", "fail")).containsExactly("end", "lost", "twice");
    assertThat(keys("--queue", "mail")).containsExactly("plain");
    assertThat(keys("--label", "team=a")).containsExactly("plain");
    assertThat(keys("--label", "team=b")).isEmpty();
    assertThat(keys("--limit", "1")).containsExactly("end");
    assertThat(CliHarness.run("list", "--data", data, "--queue", "empty").out())
        .isEqualTo("no jobs\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--queue a/b",
        "--queue %",
        "--type a'OR/1=1",
        "--type \u202e",
        "--type \0",
        "--label a%=x",
        "--label a=x|y",
        "--label a=\ud800"
      })
  void refuseAFilterThatNobodyCanMean(String option) {
    var named = option.split(" ");

    var ran = CliHarness.run("list", "--data", data, named[0], named[1]);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .startsWith("handoff: ")
        .doesNotContain("\tat ", "Exception", "\u202e", "\0")
        .hasLineCount(1);
  }

  @Test
  void listsInJsonWithAllFields() throws IOException {
    var jobs = json("list", "--json", "--data", data);

    assertThat(jobs).hasSize(6);
    for (var job : jobs) {
      assertThat(names(job))
          .contains(
              "id",
              "type",
              "queue",
              "priority",
              "key",
              "status",
              "attempt",
              "starts",
              "maxAttempts",
              "payload",
              "result",
              "error",
              "progress",
              "worker",
              "node",
              "plan",
              "step",
              "labels",
              "createdAt",
              "runAt",
              "nextRunAt",
              "startedAt",
              "finishedAt",
              "cancel",
              "attempts",
              "history",
              "log");
    }
  }

  @Test
  void takeAnIdInLowerCase() throws IOException {
    var id = json("list", "--json", "--data", data).get(0).get("id").textValue();

    var shown = CliHarness.run("show", id.toLowerCase(Locale.ROOT), "--data", data);
    var listed = CliHarness.run("list", "--after", id.toLowerCase(Locale.ROOT), "--data", data);
    var plan = CliHarness.run("plan", "show", id.toLowerCase(Locale.ROOT), "--data", data);

    assertThat(shown.out()).startsWith("job         " + id + "\n");
    assertThat(keysOf(listed)).containsExactly("later", "slow", "lost", "twice", "plain");
    assertThat(plan.err()).contains("handoff show " + id);
  }

  @Test
  void showsAJobThatSucceeded() throws IOException {
    assertThat(shown("plain"))
        .isEqualTo(
            """
            job         <id>
            status      succeeded
            type        echo
            queue       mail, priority 3
            key         plain
            labels      run=7, team=a
            payload     {"a":[1,2.50]}
            created     <time>
            finished    <time>
            starts      1 of 3 used

            attempts
                1  <time>  succeeded after <duration>  on <worker>

            history
              <time>  submitted
              <time>  claimed (attempt 1)
              <time>  started (attempt 1)
              <time>  succeeded (attempt 1)

            result
              {"a":[1,2.50]}
            """);
  }

  @Test
  void showsAJobThatFailed() throws IOException {
    assertThat(shown("lost"))
        .isEqualTo(
            """
            job         <id>
            status      failed
            type        fail
            queue       default
            key         lost
            timeout     1m
            heartbeat   30s
            payload     {"message":"gone\\nfor good"}
            created     <time>
            finished    <time>
            starts      1 of 1 used

            attempts
                1  <time>  failed after <duration>  gone  on <worker>

            history
              <time>  submitted
              <time>  claimed (attempt 1)
              <time>  started (attempt 1)
              <time>  failed (attempt 1)
              <time>  failed

            error
              dev.handoff.handlers.HandlerFailedException: gone
              for good
            """);
  }

  @Test
  void showsEachAttempt() throws IOException {
    assertThat(shown("twice"))
        .contains("    1  <time>  failed after <duration>  out of \\u001b[31mpaper  on <worker>\n")
        .contains("    3  <time>  succeeded after <duration>  on <worker>\n")
        .doesNotContain("\u001b");
    assertThat(shown("slow")).contains("timed-out after <duration>").contains("progress    ");
  }

  @Test
  void showsAJobThatHasNotRun() throws IOException {
    assertThat(shown("later"))
        .contains("status      scheduled", "not before  <time>", "next run    <time>")
        .doesNotContain("attempts", "finished");
  }

  @Test
  void showsAJobInJson() throws IOException {
    var job = json("show", "--json", id("plain"), "--data", data);

    assertThat(job.get("key").textValue()).isEqualTo("plain");
    assertThat(job.get("result").toString()).isEqualTo(job.get("payload").toString());
  }

  @Test
  void showsNothingOfAJobThatDoesNotExist() {
    var ran = CliHarness.run("show", "01M7QA29F8201SE11P2AY4J500", "--data", data);
    var beyond = CliHarness.run("show", "01M7QA29F8201SE11P2AY4J5ZZ", "--data", data);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(ran.err()).startsWith("handoff: job 01M7QA29F8201SE11P2AY4J500 does not exist in ");
    assertThat(beyond.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void writeNothing() throws IOException {
    var before = files();

    CliHarness.run("list", "--data", data);
    CliHarness.run("show", id("plain"), "--data", data);

    assertThat(files()).isEqualTo(before);
  }

  @Test
  void useColoursInATerminalOnly() {
    assertThat(CliHarness.inTerminal("list", "--data", data).out())
        .contains("\u001b[31mfailed\u001b[0m");
    assertThat(CliHarness.run("list", "--data", data).out()).doesNotContain("\u001b");
  }

  @Test
  void areFineAccordingToTheDoctor() {
    assertThat(CliHarness.run("doctor", "--data", data).out())
        .contains("2 partitions, has jobs; readable");
  }

  private static void run(String lines, String... options) throws IOException {
    var file = Files.writeString(dir.resolve("jobs.ndjson"), lines);
    var args = new ArrayList<>(List.of("run", file.toString(), "--data", data));
    args.addAll(List.of(options));
    CliHarness.run(args.toArray(String[]::new));
  }

  private static List<String> keys(String... options) throws IOException {
    var args = new ArrayList<>(List.of("list", "--json", "--data", data));
    args.addAll(List.of(options));
    var jobs = json(args.toArray(String[]::new));
    return IntStream.range(0, jobs.size())
        .mapToObj(i -> jobs.get(i).get("key").textValue())
        .toList();
  }

  private static String id(String key) throws IOException {
    for (var job : json("list", "--json", "--data", data)) {
      if (job.get("key").textValue().equals(key)) {
        return job.get("id").textValue();
      }
    }
    throw new AssertionError("no job with key " + key);
  }

  private static String shown(String key) throws IOException {
    var ran = CliHarness.run("show", id(key), "--data", data);
    assertThat(ran.exitCode()).isZero();
    return anonymous(ran.out());
  }

  private static JsonNode json(String... args) throws IOException {
    return JsonMapper.builder().build().readTree(CliHarness.run(args).out());
  }

  private static List<String> names(JsonNode job) {
    return job.properties().stream().map(java.util.Map.Entry::getKey).toList();
  }

  private static String anonymous(String text) {
    return text.replaceAll("\\b[0-9A-Z]{26}\\b", "<id>")
        .replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "<time>")
        .replaceAll("after [0-9.]+m?s\\b", "after <duration>")
        .replaceAll("on \\S+/worker-\\d+", "on <worker>");
  }

  private static String files() throws IOException {
    try (var files = Files.list(Path.of(data))) {
      return files
          .sorted()
          .map(
              file ->
                  file.getFileName()
                      + " "
                      + file.toFile().length()
                      + " "
                      + file.toFile().lastModified())
          .collect(Collectors.joining("\n"));
    }
  }
}
