package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An apply to hostile paths")
@EnabledOnOs(OS.LINUX)
class HostilePathTest {

  private static final List<String> PARTS =
      List.of(
          "..",
          ".",
          "",
          "a",
          "dir",
          "link",
          "up",
          "etc",
          "C:",
          "~",
          ".git",
          ".GIT",
          "git~1",
          "config",
          ".handoff-x",
          "\0",
          "a\\b",
          "%2e%2e",
          "．．",
          "con",
          "a.",
          " ",
          "outside",
          "root-evil",
          "é",
          "e\u0301",
          "\ud800",
          "\u202e",
          "x".repeat(256));

  @TempDir(factory = InMemory.class)
  Path directory;

  private final CancellationSource stop = new CancellationSource();

  private Path root() {
    return directory.resolve("root");
  }

  private void prepare() throws IOException {
    DirectoryTrees.delete(directory.resolve("root"));
    DirectoryTrees.make(
        directory.resolve("outside"), Map.of("a", "old", "config", "old", "dir/a", "old"));
    DirectoryTrees.make(directory.resolve("root-evil"), Map.of("a", "old"));
    DirectoryTrees.make(root(), Map.of("a", "old", "dir/a", "old", ".git/config", "old"));
    Files.createSymbolicLink(root().resolve("link"), directory.resolve("outside"));
    Files.createSymbolicLink(root().resolve("up"), Path.of(".."));
    Files.createSymbolicLink(root().resolve("dir/config"), directory.resolve("outside/config"));
  }

  @Test
  void touchesNothingOutsideAndNothingOfGit() throws IOException {
    prepare();
    Set<Class<?>> outcomes = new HashSet<>();
    RandomSeeds.each(
        400,
        random -> {
          prepare();
          var git = DirectoryTrees.of(root().resolve(".git"));
          var outside = outside();
          var before = DirectoryTrees.of(root());

          var outcome =
              EditableDirectory.at(root())
                  .write("x", edits(random), EditSample.holding(List.of("new")), stop.token());

          outcomes.add(outcome.getClass());
          assertThat(outside()).isEqualTo(outside);
          assertThat(DirectoryTrees.of(root().resolve(".git"))).isEqualTo(git);
          if (!(outcome instanceof ApplyResult.Written)) {
            assertThat(DirectoryTrees.of(root())).isEqualTo(before);
          }
        });

    assertThat(outcomes)
        .contains(
            ApplyResult.Refused.class, ApplyResult.Conflicted.class, ApplyResult.Written.class);
  }

  private Map<String, String> outside() {
    var all = DirectoryTrees.of(directory);
    all.keySet().removeIf(path -> path.equals("root") || path.startsWith("root/"));
    return all;
  }

  private static List<FileEdit> edits(Random random) {
    var edits = new ArrayList<FileEdit>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      boolean isThere = random.nextBoolean();
      edits.add(
          new FileEdit(
              path(random),
              isThere ? EditSample.ref("old") : null,
              isThere && random.nextBoolean() ? null : EditSample.ref("new")));
    }
    return edits;
  }

  private static String path(Random random) {
    var path = new StringBuilder(random.nextInt(20) == 0 ? "/" : "");
    for (int i = random.nextInt(4); i >= 0; i--) {
      boolean harmless = random.nextInt(3) > 0;
      path.append(harmless ? "n" + random.nextInt(9) : PARTS.get(random.nextInt(PARTS.size())))
          .append(i == 0 ? "" : "/");
    }
    return random.nextInt(6) == 0 ? "dir/a" : path.toString();
  }

  @ParameterizedTest(name = "[{index}]")
  @ValueSource(
      strings = {
        "",
        "/",
        "/etc/passwd",
        "..",
        "../x",
        "a/../../x",
        "a//b",
        "a/",
        "./a",
        "C:\\x",
        "a\\b",
        "\0",
        "a\0b",
        ".git/config",
        "sub/.GIT/hooks/pre-commit",
        ".git",
        ".handoff-plan-1/n0",
        "a./b"
      })
  void refusesBeforeAnythingIsWritten(String path) throws IOException {
    prepare();
    var before = DirectoryTrees.of(directory);
    var edits =
        List.of(
            new FileEdit("fine", null, EditSample.ref("new")),
            new FileEdit(path, null, EditSample.ref("new")));

    var checked = EditableDirectory.at(root()).check(edits, stop.token());
    var outcome =
        EditableDirectory.at(root())
            .write("x", edits, EditSample.holding(List.of("new")), stop.token());

    assertThat(checked).isInstanceOf(DryRunResult.Refused.class);
    assertThat(outcome)
        .isEqualTo(new ApplyResult.Refused(((DryRunResult.Refused) checked).reason()));
    assertThat(DirectoryTrees.of(directory)).isEqualTo(before);
  }

  /// Last line of defence, in case earlier checks let the path pass.
  @ParameterizedTest(name = "[{index}]")
  @ValueSource(strings = {"", "..", ".", "a/../b", "/a", "a/", "a//b", "a\0"})
  void isNoPlaceForAFile(String path) {
    assertThatThrownBy(() -> FilePath.of(path)).isInstanceOf(IllegalArgumentException.class);
  }
}
