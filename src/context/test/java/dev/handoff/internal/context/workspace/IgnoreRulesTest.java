package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.git.GitPlace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What git ignores")
class IgnoreRulesTest {

  @TempDir Path temporary;

  private final SkipNotes notes = new SkipNotes();
  private Path root;

  @BeforeEach
  void findRoot() {
    root = IndexViews.real(temporary);
  }

  private Set<String> scan(Path of) throws IOException {
    var limits = IndexViews.settings("").limits();
    var token = new CancellationSource().token();
    var found =
        new TreeSet<>(new DirectoryScan(of, Set.of(), limits, notes, token).files().keySet());
    found.removeIf(name -> name.endsWith(".gitignore"));
    return found;
  }

  private void write(String... names) {
    for (var name : names) {
      IndexViews.write(root, name, "text");
    }
  }

  private void repository() throws Exception {
    Git.init().setDirectory(root.toFile()).call().close();
  }

  @Test
  void isLeftOutInADirectoryWithoutARepository() throws IOException {
    IndexViews.write(root, ".gitignore", "*.[lm]og\n/build/\n# comment\n\n!keep.log\n");
    write("a.log", "keep.log", "build/x.txt", "sub/build/y.txt", "sub/b.log");

    assertThat(scan(root)).containsExactly("keep.log", "sub/build/y.txt");
  }

  @Test
  void isDecidedByTheNearestRuleThatSaysAnything() throws IOException {
    IndexViews.write(root, ".gitignore", "*.txt\nsecret/\n");
    IndexViews.write(root, "sub/.gitignore", "!*.txt\nown.txt\n");
    IndexViews.write(root, "secret/.gitignore", "!*\n");
    write("a.txt", "a.md", "sub/b.txt", "sub/own.txt", "sub/deep/c.txt", "secret/d.md");

    assertThat(scan(root)).containsExactly("a.md", "sub/b.txt", "sub/deep/c.txt");
  }

  @Test
  void isAlsoWhatTheRepositoryExcludes() throws Exception {
    repository();
    IndexViews.write(root, ".git/info/exclude", "*.tmp\n/sub/only.md\n");
    IndexViews.write(root, ".gitignore", "!kept.tmp\n");
    write("a.tmp", "kept.tmp", "a.md", "sub/b.tmp", "sub/only.md", "only.md");

    assertThat(scan(root)).containsExactly("a.md", "kept.tmp", "only.md");
  }

  @Test
  void isAlsoWhatTheUserExcludes() throws Exception {
    repository();
    var users = IndexViews.write(root, "users-ignores", "*.bak\n");
    Files.writeString(root.resolve(".git/config"), "[core]\n\texcludesFile = \"" + users + "\"\n");
    write("a.bak", "a.md");

    assertThat(scan(root)).containsExactly("a.md", "users-ignores");
  }

  @Test
  void isReadFromAllDirectoriesAboveARootWithinARepository() throws Exception {
    repository();
    IndexViews.write(root, ".git/info/exclude", "/mod/src/excluded.md\n");
    IndexViews.write(root, ".gitignore", "*.class\n/mod/src/gen/\n/gen2/\n");
    IndexViews.write(root, "mod/.gitignore", "*.map\n/src/here.md\n");
    write("mod/src/A.md", "mod/src/A.class", "mod/src/A.map", "mod/src/gen/G.md");
    write("mod/src/here.md", "mod/src/excluded.md", "mod/src/gen2/H.md");

    assertThat(scan(root.resolve("mod/src"))).containsExactly("A.md", "gen2/H.md");
    assertThat(scan(root.resolve("mod"))).containsExactly("src/A.md", "src/gen2/H.md");
  }

  @Test
  void isTheSameInAnotherWorkTreeOfARepository() throws Exception {
    var main = Files.createDirectories(root.resolve("main/.git"));
    Files.createDirectories(main.resolve("info"));
    Files.writeString(main.resolve("info/exclude"), "*.tmp\n");
    Files.writeString(main.resolve("HEAD"), "ref: refs/heads/main\n");
    var own = Files.createDirectories(main.resolve("worktrees/other"));
    Files.writeString(own.resolve("HEAD"), "ref: refs/heads/other\n");
    Files.writeString(own.resolve("commondir"), "../..\n");
    IndexViews.write(root, "other/.git", "gitdir: " + own + "\n");
    write("other/a.tmp", "other/a.md");

    assertThat(scan(root.resolve("other"))).containsExactly("a.md");
    assertThat(GitPlace.around(root.resolve("other")).orElseThrow().common()).isEqualTo(main);
  }

  @Test
  void isNothingWhereRulesAreNoneAndNeverAFailure() throws Exception {
    repository();
    Files.writeString(root.resolve(".git/config"), "[core\nexcludesFile = \0");
    Files.write(
        root.resolve(".gitignore"), new byte[] {'[', (byte) 0xff, '\n', '!', '\n', '/', '\n'});
    Files.createDirectories(root.resolve("sub/.gitignore"));
    Files.createSymbolicLink(root.resolve("other"), Path.of("sub"));
    write("sub/a.md");

    assertThat(scan(root)).containsExactly("sub/a.md");
  }

  /// Without limits, the comparison of each name with each of these rules would take minutes.
  @Test
  void isNotWhatOnlyRulesThatAreTooMuchTakeOut() throws IOException {
    var slow = "*a".repeat(20) + "*b";
    var deep = "**/a/".repeat(20) + "b";
    IndexViews.write(
        root, ".gitignore", "%s\n%s\n%s\n*.log\n".formatted(slow, deep, "*".repeat(5_000)));
    var name = "a".repeat(250);
    write(name, "a/".repeat(60) + "c", "b.log");

    var found = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> scan(root));

    assertThat(found).containsExactly("a/".repeat(60) + "c", name);
    assertThat(notes.lines()).hasSize(1);
    assertThat(notes.lines().getFirst()).startsWith("3 × no ignore rule, or one that is too much");
  }

  @Test
  void isDecidedByTheFirstTenThousandRulesOfAFile() throws IOException {
    IndexViews.write(root, ".gitignore", "*.log\n" + "x\n".repeat(9_999) + "*.txt\n");
    write("a.log", "b.txt");

    assertThat(scan(root)).containsExactly("b.txt");
    assertThat(notes.lines().getFirst()).endsWith(".gitignore: all after the first 10000");
  }

  @Test
  void isStillWhatManyStarsInAUsualRuleSay() throws IOException {
    IndexViews.write(root, ".gitignore", "**/gen*/**/*-v*.*\n");
    write("sub/generated/x/a-v1.txt", "sub/other/a-v1.txt");

    assertThat(scan(root)).containsExactly("sub/other/a-v1.txt");
    assertThat(notes.lines()).isEmpty();
  }

  @Test
  void comesFromNoRepositoryWhereGitIsNoneOfIts() throws IOException {
    IndexViews.write(root, ".git", "gitdir: elsewhere");
    assertThat(GitPlace.around(root)).isEmpty();

    IndexViews.write(root, ".git", "what is this?");
    assertThat(GitPlace.around(root)).isEmpty();

    // Sparse file, far larger than the memory.
    try (var huge = new RandomAccessFile(root.resolve(".git").toFile(), "rw")) {
      huge.setLength(1L << 40);
    }
    assertThat(GitPlace.around(root)).isEmpty();
  }
}
