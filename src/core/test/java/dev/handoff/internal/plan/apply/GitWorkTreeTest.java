package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.change.FileEdit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A git work tree that edits are applied to")
@EnabledOnOs(OS.LINUX)
class GitWorkTreeTest {

  private static final EditSample SAMPLE = EditSample.ALL.getFirst();

  @TempDir(factory = InMemory.class)
  Path directory;

  @BeforeEach
  void commit() throws Exception {
    assumeThat(hasGit()).as("git is there").isTrue();
    SAMPLE.make(directory);
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "before");
  }

  private static boolean hasGit() throws InterruptedException {
    try {
      return new ProcessBuilder("git", "--version").start().waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  private List<String> git(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  @Test
  void showsTheEditsAndNothingElse() throws Exception {
    var outcome = SAMPLE.write(directory, SecureDisk.INSTANCE);

    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(git("status", "--porcelain", "-uall"))
        .containsExactlyInAnyOrder(
            " M docs/index.html",
            " M readme.md",
            " D old/deep/er/last.txt",
            " D old/deep/last.txt",
            "?? docs/more.html",
            "?? new/deep/first.txt",
            "?? new/deep/second.txt");
  }

  @Test
  void showsNothingWhereTheyWereTakenBack() throws Exception {
    var full =
        TriedDisk.of(
            TriedDisk.Before.first(
                "move n6",
                (number, what) -> {
                  throw new IOException("No space left on device");
                }));

    var outcome = SAMPLE.write(directory, full);

    assertThat(outcome)
        .isEqualTo(
            new ApplyResult.Undone("moving \"readme.md\": No space left on device", List.of()));
    assertThat(git("status", "--porcelain", "-uall")).isEmpty();
  }

  @Test
  void keepsWhatBelongsToGit() throws Exception {
    var hook = new FileEdit(".git/hooks/pre-commit", null, EditSample.ref("new"));
    var target = EditableDirectory.at(directory.resolve(".git"));
    var stop = new CancellationSource().token();

    assertThat(EditableDirectory.at(directory).check(List.of(hook), stop))
        .isInstanceOf(DryRunResult.Refused.class);
    assertThat(target.check(List.of(new FileEdit("a", null, EditSample.ref("new"))), stop))
        .asString()
        .contains("belongs to git: name its work tree");
  }
}
