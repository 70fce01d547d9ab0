package dev.handoff.internal.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A working copy in a repository that is set up otherwise")
@DisabledOnOs(OS.WINDOWS)
class GitSettingsTest extends CopyTest {

  private static String changes(Path copy) throws Exception {
    return gitIn(copy, "status", "--porcelain");
  }

  @ParameterizedTest
  @CsvSource({
    "submodule.recurse, true",
    "worktree.useRelativePaths, true",
    "core.autocrlf, true",
    "core.sparseCheckout, true",
    "index.sparse, true",
    "core.splitIndex, true"
  })
  void isMadeAndRemovedWhateverGitDoesByDefault(String key, String value) throws Exception {
    var library = Files.createDirectories(temp.resolve("library"));
    write(library, "in.txt", "in");
    gitIn(library, "init", "-q");
    gitIn(library, "add", "-A");
    gitIn(library, "commit", "-q", "-m", "first");
    git("init", "-q");
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../library", "sub/lib");
    commit();
    git("config", key, value);

    try (var copy = make(source)) {
      assertThat(names(copy.path()))
          .containsExactly(".gitmodules", "a.txt", "sub/b.txt", "sub/lib/in.txt");
      assertThat(copy.altered()).isEmpty();
      Files.delete(copy.path().resolve(".git"));
    }
    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
  }

  /// Ages a file: git re-reads files that changed at the moment of its last look.
  private void madeLongAgo(String name) throws Exception {
    Files.setLastModifiedTime(source.resolve(name), FileTime.from(Instant.EPOCH));
  }

  /// The directory holds the files as the filter would create them, or the filter is never called.
  @ParameterizedTest
  @ValueSource(strings = {"gone", "Gone.Too", "odd name", "a=b"})
  void needsNoFilterThatIsNotThere(String filter) throws Exception {
    write(".gitattributes", filter.contains(" ") ? "" : "*.bin filter=" + filter + "\n");
    write("big.bin", "a pointer");
    madeLongAgo("big.bin");
    commit();
    for (var what : new String[] {"clean", "smudge", "process"}) {
      git("config", "filter." + filter + "." + what, "/does/not/exist");
    }
    git("config", "filter." + filter + ".required", "true");

    try (var copy = make(source)) {
      assertThat(copy.path().resolve("big.bin")).hasContent("a pointer");
      if (!filter.contains("=")) {
        assertThat(changes(copy.path())).isEmpty();
      }
      write(copy.path(), "big.bin", "new");

      assertThat(copy.altered()).extracting(CapturedCopy.Altered::path).containsExactly("big.bin");
    }
  }

  @Test
  void hasNoMoreThanASparseDirectory() throws Exception {
    write("docs/d.txt", "d");
    commit();
    git("sparse-checkout", "set", "sub");
    assertThat(source.resolve("docs")).doesNotExist();

    try (var copy = make(source)) {
      assertThat(names(copy.path())).containsExactly("a.txt", "sub/b.txt");
      assertThat(changes(copy.path())).isEmpty();
    }
    try (var part = make(source.resolve("sub"))) {
      assertThat(names(part.path())).containsExactly("b.txt");
      assertThat(changes(part.path())).isEmpty();
    }
  }

  /// The index flags say that git must not look, not that the file is deleted.
  @Test
  void hasWhatGitWasToldNotToLookAt() throws Exception {
    commit();
    git("update-index", "--skip-worktree", "a.txt");
    git("update-index", "--assume-unchanged", "sub/b.txt");
    write("a.txt", "mine");
    write("sub/b.txt", "mine");

    try (var copy = make(source)) {
      assertThat(copy.path().resolve("a.txt")).hasContent("mine");
      assertThat(copy.path().resolve("sub/b.txt")).hasContent("mine");
      assertThat(changes(copy.path())).isEqualTo(" M a.txt\n M sub/b.txt\n");
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void hasFilesWithNamesThatAreNotUtf8() throws Exception {
    assumeThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
    var tool = new ProcessBuilder("sh", "-c", "echo x > sub/\"$(printf 'caf\\351')\".txt");
    assertThat(tool.directory(source.toFile()).start().waitFor()).isZero();
    commit();

    try (var copy = make(source)) {
      assertThat(names(copy.path())).containsExactly("a.txt", "sub/b.txt", "sub/caf\uFFFD.txt");
      assertThat(changes(copy.path())).isEmpty();
    }
  }
}
