package dev.handoff.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.HandoffReader;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.StoreSettings;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The demo")
class DemoTest {

  /// Site after the apply.
  private static final Map<String, String> SITE =
      Map.of(
          "index.html",
          DemoSite.index("Fresh every morning, two loaves for one"),
          "site.css",
          "h1 {\n  color: teal;\n  font-family: serif;\n}\n",
          "pages/bread.html",
          "<h1>Bread</h1>\n<p>Rye, wheat and spelt.</p>\n",
          "pages/cakes.html",
          "<h1>Cakes</h1>\n<p>Ask for the plum cake.</p>\n",
          "pages/news.html",
          "<h1>News</h1>\n<p>We have a new oven.</p>\n",
          "menu.html",
          """
          <a href="pages/bread.html">Bread</a>
          <a href="pages/cakes.html">Cakes</a>
          <a href="pages/news.html">News</a>
          """,
          "rss.txt",
          "pages/news.html: News\n");

  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Screen screen = new Screen(new PrintStream(out, true, UTF_8), TerminalSetup.NONE);

  @Test
  void comesOutAsItAnnounces() throws IOException {
    var store = dir.resolve("store");

    var ran = CliHarness.inTerminal("demo", "--data", store.toString());

    assertThat(ran.exitCode()).as(ran.out()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .contains(
            "of 30 jobs over",
            "printed by priority: 6 5 4 3 2 1",
            "All 30 jobs and the plan of 10 steps came out as announced")
        .contains("12 of 12 succeeded", "2 of 2 failed", "3 each", "none", "1 each")
        .contains(
            "after bread, cakes, news",
            "the news failed with \"nobody knows the news yet\"",
            "step headline came first (ours), step offer later (theirs)",
            "ancestor  <h1>Welcome</h1>",
            "decided: <h1>Fresh every morning, two loaves for one</h1>",
            "in all 8 files: 5 created, 2 modified, 1 deleted, +13 -3 lines",
            "applied 8 files to",
            "it changes nothing",
            "10 changesets, 10 changes")
        .doesNotContain("not as announced");
    assertThat(
            CliHarness.run("list", "--data", store.toString(), "--status", "cancelled")
                .out()
                .lines())
        .hasSize(3);
    assertThat(filesOf(store.resolve("site"))).isEqualTo(SITE);
    assertThat(CliHarness.run("plan", "verify", plan(ran), "--data", store.toString()).out())
        .startsWith("intact")
        .contains(head(ran));
    assertThat(CliHarness.run("demo", "--data", store.toString()).exitCode())
        .isEqualTo(ExitCode.REFUSED);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  @DisabledOnOs(OS.WINDOWS)
  void canBeLeft(String signal, int exitCode) throws Exception {
    var demo = ProgramProcess.start(dir, "demo");
    ProgramProcess.await(() -> says(demo));

    demo.signal(signal);

    assertThat(demo.exitCode()).isEqualTo(exitCode);
    assertThat(demo.complained()).contains("left by SIG" + signal);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void answersInJson() throws Exception {
    var demo = ProgramProcess.start(dir, "demo", "--json");
    ProgramProcess.await(() -> complains(demo, "Twelve thumbnails"));

    demo.signal("INT");

    assertThat(demo.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(demo.said()).isEmpty();
    assertThat(demo.complained()).endsWith("{\"error\":\"left by SIGINT\",\"exitCode\":130}\n");
  }

  @Test
  void stopsAtTheFirstAnswerThatItDidNotAnnounce() throws Exception {
    var site = DemoSite.in(dir.resolve("site"));

    try (var stage = stage(site)) {
      var tour = new DemoTour(stage, site);
      var plan = tour.plan();
      Files.writeString(site.directory().resolve("site.css"), "p {}\n");

      assertThatThrownBy(() -> tour.change(plan))
          .isInstanceOf(CommandFailedException.class)
          .hasMessageStartingWith("not as announced: instead of Possible: Conflicted");
    }
  }

  @Test
  void writesNothingWhereThatIsNotSafe() throws Exception {
    try (var zip = FileSystems.newFileSystem(dir.resolve("a.zip"), Map.of("create", "true"))) {
      var site = DemoSite.in(zip.getPath("site"));
      var before = filesOf(site.directory());

      try (var stage = stage(site)) {
        var tour = new DemoTour(stage, site);
        tour.change(tour.plan());
      }

      assertThat(out.toString(UTF_8))
          .contains("needs handles for directories", "intact")
          .doesNotContain("→ applied");
      assertThat(filesOf(site.directory())).isEqualTo(before);
    }
  }

  @Test
  void isNotSilentForLong_withoutATerminal() throws Exception {
    var site = DemoSite.in(dir.resolve("site"));

    try (var stage = stage(site)) {
      stage.await(handoffIsBusy(stage));
    }

    assertThat(out.toString(UTF_8)).contains("… 0 of 30 jobs over, 1 running");
  }

  /// End of a job that sleeps for longer than the demo may be silent.
  private static CompletionStage<JobInfo> handoffIsBusy(DemoStage stage) {
    return stage.handoff.submitOrThrow(JobRequest.of("sleep", Map.of("duration", "6s"))).ended();
  }

  @Test
  void noticesWhatIsNotAsItWasAnnounced() throws Exception {
    var store = dir.resolve("small");
    var site = DemoSite.in(dir.resolve("site"));
    Files.delete(site.directory().resolve("summer.html"));
    PlanId plan;
    try (var stage = new DemoStage(store, site, screen)) {
      var labels = Map.of("jobs", "the job", "announced", "fail", "end", "failed: failed");
      stage.await(stage.submit(JobRequest.of("noop").labels(labels)).ended());
      plan = stage.handoff.plans().submitOrThrow(DemoSite.plan()).id();
      stage.await(stage.handoff.plans().plan(plan).ended());
    }

    try (var reader = HandoffReader.open(new StoreSettings.File(store))) {
      var report = DemoReport.of(reader, plan);

      assertThat(report.problems())
          .hasSize(4)
          .anyMatch(one -> one.matches("the job, \\w+: succeeded: succeeded instead of failed.*"))
          .anyMatch(
              one -> one.matches("9 steps, \\w+: failed: failed, failed, failed instead of .*"))
          .contains(
              "number of jobs: 11 instead of 40",
              "status of the plan: FAILED instead of SUCCEEDED");
      report.print(screen, Duration.ofSeconds(1));
      assertThat(out.toString(UTF_8))
          .containsPattern("the job +fail +0 of 1 failed +1 each +NO")
          .containsPattern("9 steps .* 8 of 9 succeeded .* NO")
          .containsPattern("the whole plan .* failed, intact .* NO")
          .contains("not as announced: number of jobs")
          .doesNotContain("came out as announced");
      var json = report.json(Duration.ofSeconds(1));
      assertThat(json.get("asAnnounced").booleanValue()).isFalse();
      assertThat(json.get("problems")).hasSize(4);
      assertThat(json.get("jobs").intValue()).isEqualTo(1);
      assertThat(json.get("plan").get("status").textValue()).isEqualTo("failed");
      assertThat(json.get("plan").get("steps").intValue()).isEqualTo(10);
    }
  }

  @Test
  void noticesAPlanThatWasAltered() {
    var altered = new ChainVerdict.Altered(null, null, null, null, "a content is another one");

    assertThat(DemoReport.problem(altered))
        .contains("the plan is altered: a content is another one");
    assertThat(DemoReport.problem(new ChainVerdict.Intact(1, 1, 1, "head"))).isEmpty();
  }

  private DemoStage stage(DemoSite site) throws IOException {
    return new DemoStage(Files.createDirectory(dir.resolve("store")), site, screen);
  }

  /// Content of every file by path.
  private static Map<String, String> filesOf(Path directory) throws IOException {
    var files = new TreeMap<String, String>();
    try (var all = Files.walk(directory)) {
      for (var file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }

  private static String plan(CliHarness.Ran ran) {
    return found("handoff plan show (\\w+) --data", ran);
  }

  private static String head(CliHarness.Ran ran) {
    return found("head (\\w+)", ran);
  }

  private static String found(String pattern, CliHarness.Ran ran) {
    var matcher = Pattern.compile(pattern).matcher(ran.out());
    assertThat(matcher.find()).as(ran.out()).isTrue();
    return matcher.group(1);
  }

  private static boolean complains(ProgramProcess demo, String words) {
    try {
      return demo.complained().contains(words);
    } catch (IOException unread) {
      return false;
    }
  }

  private static boolean says(ProgramProcess demo) {
    try {
      return demo.said().contains("Twelve thumbnails");
    } catch (IOException unread) {
      return false;
    }
  }
}
