package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.ChainVerdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The demo's plan")
class DemoPlanTest {

  /// Text in every report here, since the tests play two acts of nine.
  private static final String ACTS_ARE_MISSING = "the store has 10 jobs instead of 40";

  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Screen screen =
      new Screen(new PrintStream(out, true, StandardCharsets.UTF_8), TerminalSetup.NONE);

  /// Interference with the site.
  private interface Meddler {
    void in(Path site) throws IOException;
  }

  private static final Meddler NOBODY = site -> {};

  /// Plays the acts of the plan on an engine of their own.
  private DemoReport run(DemoSite site, Meddler before, Meddler between) throws Exception {
    var voice = new DemoVoice(screen);
    var store = Files.createDirectory(dir.resolve("store"));
    DemoCast cast;
    before.in(site.directory());
    try (var stage = DemoStage.open(store, new DemoSteps(site), screen, 0)) {
      var ended = new DemoPlan(stage, voice, screen).play();
      between.in(site.directory());
      var role = new DemoChanges(stage, voice, screen, site).play(ended);
      cast = new DemoCast(DemoPlan.roles(), role);
    }
    var found = DemoRemains.read(store, cast.plan().plan(), site);
    return DemoReport.of(cast, found, voice.problems(), Duration.ZERO);
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void comesOutAsItAnnounces() throws Exception {
    var report = run(DemoSite.in(dir.resolve("site")), NOBODY, NOBODY);

    assertThat(report.problems()).containsExactly(ACTS_ARE_MISSING);
    assertThat(said())
        .contains("the news failed with \"nobody knows the news yet\"")
        .containsPattern("ancestor +<h1>Welcome")
        .containsPattern("(ours|theirs) +<h1>Fresh every morning</h1> +headline")
        .containsPattern("(ours|theirs) +<h1>Two loaves for one</h1> +offer")
        .contains("+<h1>Fresh every morning, two loaves for one</h1>")
        .contains("in all 8 files: 5 created, 2 modified, 1 deleted, +13 -3 lines")
        .contains("applied 8 files to", "it changes nothing")
        .contains("intact: 10 changesets, 10 changes")
        .contains(report.cast().plan().head());
    var json = report.json().get("plan");
    assertThat(json.get("status").textValue()).isEqualTo("succeeded");
    assertThat(json.get("steps").intValue()).isEqualTo(10);
    assertThat(json.get("applied").intValue()).isEqualTo(1);
    assertThat(json.get("head").textValue()).isEqualTo(report.cast().plan().head());
    lookedAtAgain(report.cast().plan(), report.found());
  }

  /// Each single deviation from the announced result must be reported.
  private static void lookedAtAgain(DemoPlanRole role, DemoRemains found) {
    var other = new DemoPlanRole(role.plan(), "other", 2, role.site());
    var altered = new ChainVerdict.Altered(null, null, null, null, "a content is another one");
    var files = new HashMap<>(found.site());
    files.put("pages/news.html.half", "<h1>");
    files.put("index.html", "");
    files.remove("menu.html");

    assertThat(role.differences(found)).isEmpty();
    assertThat(other.differences(found))
        .containsExactly("the plan was applied 1 times", "the head of the plan is " + role.head());
    assertThat(role.differences(with(found, altered, found.site())))
        .containsExactly("the plan is altered: a content is another one");
    assertThat(role.differences(with(found, null, found.site())))
        .containsExactly("the changes of the plan are not there");
    assertThat(role.differences(with(found, found.verdict(), files)))
        .containsExactly(
            "index.html holds something else",
            "menu.html is not there",
            "pages/news.html.half is there");
  }

  private static DemoRemains with(
      DemoRemains found, ChainVerdict verdict, Map<String, String> site) {
    return new DemoRemains(found.jobs(), found.plan(), verdict, site);
  }

  @Test
  void isNotAsAnnouncedWhenSomebodyChangesTheSiteMeanwhile() throws Exception {
    var report =
        run(
            DemoSite.in(dir.resolve("site")),
            NOBODY,
            site -> Files.writeString(site.resolve("site.css"), "p {}\n"));

    assertThat(report.problems())
        .anyMatch(problem -> problem.startsWith("the check was answered with Conflicted"))
        .anyMatch(problem -> problem.startsWith("the apply was answered with Conflicted"))
        .anyMatch(problem -> problem.startsWith("the second apply was answered with Conflicted"))
        .contains(
            "the plan was applied 0 times",
            "site.css holds something else",
            "index.html holds something else",
            "menu.html is not there",
            "summer.html is there");
    assertThat(said()).contains("intact").doesNotContain("applied 8 files", "it changes nothing");
  }

  @Test
  void isNotAsAnnouncedWhenAStepCannotDoItsWork() throws Exception {
    var report =
        run(
            DemoSite.in(dir.resolve("site")),
            site -> Files.delete(site.resolve("summer.html")),
            NOBODY);

    assertThat(report.problems())
        .contains(
            "the plan has failed",
            "step summer is failed",
            "step summer attempts ended as failed, failed, failed",
            "the plan is failed");
    report.print(screen);
    assertThat(said()).containsPattern("9 steps .* 8 of 9 succeeded .* NO");
    assertThat(said()).containsPattern("the whole plan .* failed, intact .* NO");
  }

  @Test
  void isNotWrittenWhereThatIsNotSafe() throws Exception {
    try (var zip = FileSystems.newFileSystem(dir.resolve("a.zip"), Map.of("create", "true"))) {
      var report = run(DemoSite.in(zip.getPath("site")), NOBODY, NOBODY);

      assertThat(report.problems()).containsExactly(ACTS_ARE_MISSING);
      assertThat(said()).contains("needs handles for directories").doesNotContain("→ applied");
      assertThat(report.found().site()).isEqualTo(DemoSite.BEFORE);
    }
  }
}
