package dev.handoff.internal.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.plan.CaptureException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A working copy of a part of a large repository")
@DisabledOnOs(OS.WINDOWS)
class GitPartTest extends CopyTest {

  private static final CaptureLimits SMALL = new CaptureLimits(10, 1_000);

  private CapturedCopy small(Path directory) throws InterruptedException {
    return make(new CapturedCopy.Wanted(directory, false, SMALL), NONE);
  }

  private static String changes(Path copy) throws Exception {
    return gitIn(copy, "status", "--porcelain");
  }

  /// Creates a huge sparse file, which takes no room on the disk.
  private void huge(String name) throws Exception {
    Files.createDirectories(source.resolve(name).getParent());
    try (var file = new RandomAccessFile(source.resolve(name).toFile(), "rw")) {
      file.setLength(100L << 30);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"site", "odd *[a] :(top)name", "deep/er"})
  void writesNothingOfTheRest(String part) throws Exception {
    write(part + "/in.txt", "in");
    write("other/large.txt", "x".repeat(2_000));
    for (int i = 0; i < 20; i++) {
      write("other/" + i, "x");
    }
    commit();

    try (var copy = small(source.resolve(part))) {
      var top = source.relativize(source.resolve(part)).getNameCount();
      var whole = copy.path();
      for (int i = 0; i < top; i++) {
        whole = whole.getParent();
      }
      assertThat(names(whole)).containsExactly(part + "/in.txt");
      assertThat(changes(copy.path())).isEmpty();
    }
    assertThat(left()).isEmpty();
  }

  /// Git still applies the rules of the whole repository, and does not report the rest as deleted.
  @Test
  void isToGitAsTheDirectoryIs() throws Exception {
    write(".gitignore", "*.log\n");
    write(".gitattributes", "*.txt text eol=crlf\n");
    write("site/lines.txt", "one\r\ntwo\r\n");
    write("site/gone.txt", "gone");
    write("site/tool.sh", "run");
    assertThat(source.resolve("site/tool.sh").toFile().setExecutable(true)).isTrue();
    commit();
    Files.delete(source.resolve("site/gone.txt"));
    write("site/new.txt", "new");
    write("site/made.log", "ignored");

    try (var copy = make(source.resolve("site"))) {
      assertThat(names(copy.path())).containsExactly("lines.txt", "new.txt", "tool.sh");
      assertThat(copy.path().resolve("tool.sh")).isExecutable();
      assertThat(changes(copy.path())).isEqualTo(" D site/gone.txt\n?? site/new.txt\n");
      write(copy.path(), "made.log", "ignored");
      write(copy.path(), "more.txt", "one\r\ntwo\r\n");

      assertThat(changes(copy.path()))
          .isEqualTo(" D site/gone.txt\n?? site/more.txt\n?? site/new.txt\n");
      assertThat(copy.altered()).extracting(CapturedCopy.Altered::path).containsExactly("more.txt");
      gitIn(copy.path(), "add", "-A");
      assertThat(gitIn(copy.path(), "show", ":site/more.txt")).isEqualTo("one\ntwo\n");
      gitIn(copy.path(), "commit", "-q", "-m", "by the tool");
      assertThat(gitIn(copy.path(), "show", "--name-status", "--format="))
          .isEqualTo("D\tsite/gone.txt\nA\tsite/more.txt\nA\tsite/new.txt\n");
    }
  }

  /// Otherwise git would fail only while creating the work tree.
  @ParameterizedTest
  @ValueSource(strings = {"not committed", "many", "in a submodule"})
  void isRefusedBeforeAnythingIsWritten(String what) throws Exception {
    switch (what) {
      case "many" -> {
        for (int i = 0; i < 10; i++) {
          write("sub/" + i, "x");
        }
      }
      case "in a submodule" -> {
        gitIn(Files.createDirectories(source.resolve("sub/lib")), "init", "-q");
        write("sub/lib/in.txt", "x".repeat(999));
        gitIn(source.resolve("sub/lib"), "add", "-A");
        gitIn(source.resolve("sub/lib"), "commit", "-q", "-m", "first");
      }
      default -> {}
    }
    commit();
    if (what.equals("not committed")) {
      huge("sub/huge.bin");
    }
    write(".git/worktrees", "no work tree can be made");

    assertThatThrownBy(() -> small(source))
        .isInstanceOf(CaptureException.class)
        .hasMessageStartingWith("more than 10 files or 1000 bytes are in " + source);
    assertThat(left()).isEmpty();
  }

  @Test
  void countsWhatIsThereAndNotWhatWasCommitted() throws Exception {
    write("large.txt", "x".repeat(2_000));
    commit();
    Files.delete(source.resolve("large.txt"));
    write(".gitignore", "*.bin");
    huge("ignored.bin");

    try (var copy = small(source)) {
      assertThat(names(copy.path())).containsExactly(".gitignore", "a.txt", "sub/b.txt");
    }
  }

  /// The target of a link is not part of the directory.
  @Test
  void hasNothingFromBehindALink() throws Exception {
    commit();
    Files.move(source.resolve("sub"), temp.resolve("outside"));
    Files.createSymbolicLink(source.resolve("sub"), temp.resolve("outside"));

    try (var copy = make(source)) {
      assertThat(names(copy.path())).containsExactly("a.txt");
    }
  }
}
