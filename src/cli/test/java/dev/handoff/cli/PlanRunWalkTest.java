package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.handoff.internal.plan.change.ChainHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A plan from the command line")
class PlanRunWalkTest {

  /// Plan with two concurrent steps that write different content into the same file.
  private static final String IN_CONFLICT =
      """
      name: both
      steps:
        - {name: base, type: exec, payload: {argv: [sh, -c, "echo one > a.txt"], capture: {}}}
        - {name: left, after: base, type: exec, payload: {argv: [sh, -c, "echo left > a.txt"], capture: {}}}
        - {name: right, after: base, type: exec, payload: {argv: [sh, -c, "echo right > a.txt"], capture: {}}}
      """;

  @TempDir Path dir;

  private CliHarness.Ran plan(String... args) {
    var all = new ArrayList<>(List.of("plan"));
    all.addAll(List.of(args));
    all.addAll(List.of("--data", dir.resolve("data").toString()));
    return CliHarness.run(all.toArray(String[]::new));
  }

  private String run(Path file) throws IOException {
    var ran = plan("run", file.toString(), "--allow-exec", "--json");
    assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
    return json(ran.out()).get("id").asText();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }

  @Test
  void isRunShownComparedAppliedAndVerified() throws IOException {
    var id = run(Path.of("docs/examples/site.yaml"));
    var out = dir.resolve("out");

    var shown = json(plan("show", id, "--json").out());
    assertThat(shown.get("status").asText()).isEqualTo("succeeded");
    assertThat(shown.get("steps").get(2).get("attempt").asInt()).isEqualTo(2);
    assertThat(plan("diff", id).out()).contains("+++ b/index.html", "pages/news.html");
    assertThat(plan("diff", id, "--step", "look/fonts").out()).contains("+h1 { font-family");
    assertThat(plan("diff", id, "--stat").out()).contains("5 files");

    assertThat(plan("apply", id, "--to", out.toString(), "--check").exitCode()).isZero();
    assertThat(out).doesNotExist();
    assertThat(plan("apply", id, "--to", out.toString()).exitCode()).isZero();
    assertThat(out.resolve("index.html")).content().contains("pages/home.html");
    assertThat(plan("apply", id, "--to", out.toString()).out()).contains("already");
    assertThat(plan("verify", id).out()).startsWith("intact");
  }

  @Test
  void isNotWrittenOverWhatSomebodyElseHasMade() throws IOException {
    var id = run(Path.of("docs/examples/site.yaml"));
    var out = Files.createDirectories(dir.resolve("out"));
    Files.writeString(out.resolve("index.html"), "mine\n");

    var applied = plan("apply", id, "--to", out.toString());

    assertThat(applied.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(applied.out() + applied.err()).contains("index.html");
    assertThat(out.resolve("index.html")).hasContent("mine\n");
    assertThat(out.resolve("site.css")).doesNotExist();
  }

  @Test
  void inConflictIsAppliedOnceThatIsDecided() throws IOException {
    var id = run(file("both.yaml", IN_CONFLICT));
    var out = dir.resolve("out").toString();

    var refused = plan("apply", id, "--to", out);
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("a.txt", "left", "right", "plan resolve " + id + " a.txt");
    assertThat(plan("diff", id).err()).contains("conflict in a.txt", "step left", "step right");
    assertThat(plan("show", id).out()).contains("in conflict", "step left", "step right");
    assertThat(plan("resolve", id, "b.txt", "--ours").exitCode()).isEqualTo(ExitCode.NOT_FOUND);

    var content = file("content", "left and right\n").toString();
    assertThat(plan("resolve", id, "a.txt", "--content", "").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(plan("resolve", id, "a.txt", "--content", content).exitCode()).isZero();
    assertThat(plan("resolve", id, "a.txt", "--ours").exitCode()).isZero();
    assertThat(plan("diff", id).out()).doesNotContain("left and right");
    assertThat(plan("resolve", id, "a.txt", "--content", content).exitCode()).isZero();
    assertThat(plan("show", id).out()).contains("decided", "a.txt", "by cli");

    assertThat(plan("apply", id, "--to", out).exitCode()).isZero();
    assertThat(dir.resolve("out/a.txt")).hasContent("left and right\n");
    var late = plan("resolve", id, "a.txt", "--ours");
    assertThat(late.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(late.err()).contains("resolved before, and that was applied");
  }

  @Test
  void isNotWrittenIntoTheStore() throws IOException {
    var id = run(file("both.yaml", IN_CONFLICT));
    assertThat(plan("resolve", id, "a.txt", "--ours").exitCode()).isZero();

    for (var words : List.of(List.of("apply", id), List.of("apply", id, "--check"))) {
      assertIsRefused(words, dir.resolve("data"), "has the store in it");
      assertIsRefused(words, dir.resolve("data/working-copies"), "belongs to the store");
      assertIsRefused(words, dir.resolve("data/working-copies/a"), "belongs to the store");
      assertIsRefused(words, dir.resolve("data/context"), "belongs to the store");
    }
  }

  private void assertIsRefused(List<String> words, Path target, String why) {
    var all = new ArrayList<>(words);
    all.addAll(List.of("--to", target.toString()));

    var refused = plan(all.toArray(String[]::new));

    assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err()).contains(target + " " + why, "name another one");
  }

  /// Names like these look like an option to other programs, or like an argument file to picocli.
  @Test
  void namesFilesInWaysThatCanBeTyped() throws IOException {
    assertThat(Path.of("build.sbt")).exists();
    var text = IN_CONFLICT.replaceAll("echo (\\w+) > a.txt", "echo $1 | tee ./-x.txt > @build.sbt");
    var id = run(file("odd.yaml", text));
    var out = dir.resolve("out").toString();

    for (var next : List.of("-x.txt", "@build.sbt")) {
      var said = plan("apply", id, "--to", out).err();
      var hint = Pattern.compile("decide with: handoff (.*) \\(or ").matcher(said);
      assertThat(hint.find()).as(said).isTrue();
      var decided = CliHarness.run(hint.group(1).split(" "));

      assertThat(decided.exitCode()).as(hint.group() + "\n" + decided.err()).isZero();
      assertThat(decided.out()).startsWith("decided: " + next);
    }

    assertThat(plan("apply", id, "--to", out).exitCode()).isZero();
  }

  @Test
  void tellsEverythingAsJsonToo() throws IOException {
    var id = run(file("both.yaml", IN_CONFLICT));
    var out = dir.resolve("out").toString();

    var conflict = told("diff", id).get("conflicts").get(0);
    assertThat(conflict.get("path").asText()).isEqualTo("a.txt");
    assertThat(told("diff", id, "--step", "left").get("counts").get("modified").asInt())
        .isEqualTo(1);
    assertThat(told("show", id).get("conflicts")).hasSize(1);
    assertThat(told("apply", id, "--to", out).get("outcome").asText()).isEqualTo("conflicted");
    assertThat(told("resolve", id, "b.txt", "--ours").get("outcome").asText())
        .isEqualTo("no-conflict");
    assertThat(told("resolve", id, "a.txt", "--theirs").get("outcome").asText())
        .isEqualTo("resolved");
    assertThat(told("apply", id, "--to", out, "--check").get("outcome").asText())
        .isEqualTo("possible");
    assertThat(told("apply", id, "--to", out).get("files").get(0).get("change").asText())
        .isEqualTo("created");
    assertThat(told("apply", id, "--to", out).get("outcome").asText()).isEqualTo("already-applied");
    assertThat(told("verify", id).get("intact").asBoolean()).isTrue();
    assertThat(told("cancel", id).get("status").asText()).isEqualTo("succeeded");
    assertThat(ChainHash.of(Files.readAllBytes(dir.resolve("out/a.txt"))))
        .isEqualTo(conflict.get("theirs").get("sha256").asText());
  }

  /// Output with `--json`, for any exit code.
  private JsonNode told(String... args) throws IOException {
    var all = new ArrayList<>(List.of(args));
    all.add("--json");
    return json(plan(all.toArray(String[]::new)).out());
  }

  @Test
  void thatFailsIsGoneOnWith() throws IOException {
    var marker = dir.resolve("paper");
    var text =
        """
        name: print
        steps:
          - {name: first, type: noop}
          - {name: print, after: first, type: exec, maxAttempts: 1,
             payload: {argv: [sh, -c, "test -e %s || { echo no paper >&2; exit 1; }"]}}
        """
            .formatted(marker);
    var failed = plan("run", file("print.yaml", text).toString(), "--allow-exec", "--json");
    assertThat(failed.exitCode()).isEqualTo(ExitCode.FAILED);
    var id = json(failed.out()).get("id").asText();
    assertThat(plan("show", id).out()).contains("no paper");
    assertThat(plan("retry", id).exitCode()).isEqualTo(ExitCode.REFUSED);

    Files.createFile(marker);
    var retried = plan("retry", id, "--allow-exec");
    assertThat(retried.exitCode()).isZero();
    assertThat(retried.err())
        .contains("print: succeeded")
        .doesNotContain("no paper", "first: succeeded");

    assertThat(plan("show", id).out())
        .contains("2 steps: 2 succeeded")
        .containsPattern("ATTEMPTS  TOOK\n  first +succeeded +noop +1 ")
        .containsPattern("print +succeeded +exec +2 ");
    var late = plan("cancel", id);
    assertThat(late.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(late.out()).isEmpty();
    assertThat(late.err()).contains("has succeeded already");
  }

  @Test
  void thatFailsNamesCommandsThatWorkAsTheyAreAndIsAppliedWithANotice() throws IOException {
    var text =
        """
        name: half
        steps:
          - {name: good, type: exec, payload: {argv: [sh, -c, "echo one > a.txt"], capture: {}}}
          - {name: bad, after: good, type: fail, maxAttempts: 1}
        """;
    var data = dir.resolve("my data").toString();

    var ran =
        CliHarness.run(
            "plan", "run", file("half.yaml", text).toString(), "--allow-exec", "--data", data);

    assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
    var id = ran.err().lines().findFirst().orElseThrow().replace("plan ", "");
    assertThat(ran.out())
        .contains("handoff plan retry %s --data '%s' --allow-exec".formatted(id, data));
    var applied =
        CliHarness.run("plan", "apply", id, "--to", dir.resolve("out").toString(), "--data", data);
    assertThat(applied.exitCode()).isZero();
    assertThat(applied.err()).contains("note: the plan has failed; only its committed changes");
    assertThat(dir.resolve("out/a.txt")).hasContent("one\n");
  }

  @Test
  void thatTakesTooLongSaysSo() throws IOException {
    var text =
        """
        name: slow
        deadline: 200ms
        steps: [{name: a, type: sleep, payload: {duration: 100s}}]
        """;

    var ran = plan("run", file("slow.yaml", text).toString());

    assertThat(ran.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.out()).contains("its deadline of 200ms has passed");
  }

  @Test
  void inConflictIsToBeDecidedBeforeItIsWritten() throws IOException {
    var ran = plan("run", file("both.yaml", IN_CONFLICT).toString(), "--allow-exec");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("conflict in a.txt", "step left", "step right");
    assertThat(ran.out().indexOf("decide first: handoff plan resolve"))
        .isPositive()
        .isLessThan(ran.out().indexOf("then write it: handoff plan apply"));
  }

  @Test
  void isFoundAgainInAList() throws IOException {
    var nested = "{name: in, steps: [{name: p, plan: {name: q, steps: [{name: a, type: noop}]}}]}";
    assertThat(plan("list").exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    var first = run(file("in.yaml", nested));
    var no = "{name: bad, steps: [{name: x, type: fail, maxAttempts: 1, payload: {message: x}}]}";
    assertThat(plan("run", file("no.yaml", no).toString()).exitCode()).isEqualTo(ExitCode.FAILED);
    var last = run(file("in.yaml", nested));

    var all = json(plan("list", "--json").out());
    assertThat(all.findValuesAsText("id")).hasSize(3).startsWith(last).endsWith(first);
    assertThat(plan("list", "--status", "failed").out()).contains(" bad ").doesNotContain(first);
    assertThat(plan("list", "--status", "running").out()).isEqualTo("no plans\n");
    var page = plan("list", "--limit", "1").out();
    assertThat(page)
        .contains(last, "more: handoff plan list --after " + last)
        .doesNotContain(first);
    assertThat(json(plan("list", "--after", last, "--json").out()).findValuesAsText("id"))
        .hasSize(2)
        .endsWith(first);
    assertThat(plan("list", "--status", "done").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(plan("list", "--limit", "0").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(plan("list", "--after", "x").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void saysWhichStepsItCounts() throws IOException {
    var child = "{name: c, plan: {name: c, steps: [{name: d, type: noop}, {name: e, type: noop}]}}";
    var file = file("nested.yaml", "{name: nest, steps: [{name: a, type: noop}, " + child + "]}");

    var ran = plan("run", file.toString());

    assertThat(ran.out()).contains("3 of 3 steps succeeded, those of child plans included");
    assertThat(plan("list").out()).containsPattern("OWN STEPS[^$]* nest +2/2 ");
    var id = json(plan("list", "--json").out()).get(0).get("id").asText();
    assertThat(plan("show", id).out())
        .contains("3 steps, those of child plans included: 3 succeeded");
    var flat = file("flat.yaml", "{name: f, steps: [{name: a, type: noop}]}");
    assertThat(plan("run", flat.toString()).out()).contains("1 of 1 steps succeeded  (");
  }

  @Test
  void isNamedByTheCommandsOfJobs() throws IOException {
    var id = run(file("one.yaml", "name: p\nsteps: [{name: a, type: noop}]\n"));
    var job = json(plan("show", id, "--json").out()).get("steps").get(0).get("job").asText();
    var data = dir.resolve("data").toString();

    assertThat(CliHarness.run("show", id, "--data", data).err())
        .contains("it is a plan (handoff plan show %s --data %s)".formatted(id, data));
    assertThat(CliHarness.run("show", job, "--data", data).out())
        .contains("plan        " + id, "step        a");
  }

  @Test
  void isRefusedAsAWholeBeforeAnythingRuns() throws IOException {
    var bad = file("bad.yaml", "name: p\nsteps:\n- {name: a, typ: noop}\n");

    var misread = plan("run", bad.toString());
    assertThat(misread.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(misread.err()).contains("bad.yaml: line 3: step a: typ:");
    var off = plan("run", "docs/examples/site.yaml");
    assertThat(off.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(off.err())
        .containsPattern("type exec \\(line \\d+, step home, line \\d+, step .*--allow-exec");
    assertThat(plan("run", dir.resolve("none.yaml").toString()).exitCode())
        .isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void thatNeverWasIsNotFound() throws IOException {
    run(file("one.yaml", "name: p\nsteps: [{name: a, type: noop}]\n"));
    var id = "01K9Z3N0W6000000000000000A";

    for (var command : List.of("show", "diff", "verify", "cancel", "retry")) {
      assertThat(plan(command, id).exitCode()).as(command).isEqualTo(ExitCode.NOT_FOUND);
    }
    assertThat(plan("apply", id, "--to", dir.toString()).exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(plan("resolve", id, "a", "--ours").exitCode()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(plan("show", "x").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  /// The shell and other programs resolve such a name in the same way.
  @Test
  void isAppliedBesideWhatALinkLeadsTo() throws IOException {
    var id = run(Path.of("docs/examples/site.yaml"));
    Files.createDirectories(dir.resolve("elsewhere/in"));
    var link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("elsewhere/in"));

    var applied = plan("apply", id, "--to", link + "/../out");

    assertThat(applied.exitCode()).as(applied.out()).isZero();
    assertThat(dir.resolve("elsewhere/out/index.html")).exists();
    assertThat(dir.resolve("out")).doesNotExist();
  }

  @Test
  void isAppliedToNoDirectoryWithoutAName() throws IOException {
    var id = run(file("one.yaml", "name: p\nsteps: [{name: a, type: noop}]\n"));

    var applied = plan("apply", id, "--to", "");

    assertThat(applied.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(applied.err()).contains("--to", "the path is empty: name a directory");
  }

  @Test
  void isDecidedWithAFileAndWithNothingElse() throws IOException {
    var id = run(file("both.yaml", IN_CONFLICT));

    assertThat(plan("resolve", id, "a.txt", "--ours", "--theirs").err())
        .startsWith("handoff: --ours");
    var directory = plan("resolve", id, "a.txt", "--content", dir.toString());
    var none = plan("resolve", id, "a.txt", "--content", dir.resolve("none").toString());

    assertThat(directory.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(directory.err()).contains(dir + " is a directory");
    assertThat(none.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
  }

  /// A line wider than the terminal wraps, and the next redraw would leave its rest.
  @Test
  void isDrawnInLinesThatFit() throws IOException {
    var steps = new StringBuilder("name: p\nmaxParallel: 5\nsteps:\n");
    for (int i = 0; i < 40; i++) {
      steps.append("- {name: step-%d, type: sleep, payload: {ms: 50}}\n".formatted(i));
    }
    var file = file("many.yaml", steps.toString()).toString();

    var ran =
        CliHarness.inTerminal(30, "plan", "run", file, "--data", dir.resolve("data").toString());

    var frames = ran.err().split("\r\u001b\\[([0-9]+A|K)");
    assertThat(frames).hasSizeGreaterThan(2);
    assertThat(Stream.of(frames).skip(1).flatMap(String::lines))
        .map(line -> line.replaceAll("\u001b\\[[0-9;]*[mKJ]", ""))
        .anySatisfy(line -> assertThat(line).startsWith("  of 40 steps"))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(30));
  }

  /// Content written by a step is untrusted: a terminal must not interpret it.
  @Test
  void cannotSteerTheTerminalWithWhatItHasChanged() throws IOException {
    var text =
        """
        name: sly
        steps:
          - {name: a, type: exec, payload: {argv: [sh, -c, "printf '\\\\033[2Jgone\\\\n' > a.txt"], capture: {}}}
        """;
    var id = run(file("sly.yaml", text));

    var shown =
        CliHarness.inTerminal("plan", "diff", id, "--data", dir.resolve("data").toString()).out();

    assertThat(plan("diff", id).out()).contains("\u001b[2Jgone"); // for git apply
    assertThat(shown).contains("gone").doesNotContain("\u001b[2J");
  }
}
