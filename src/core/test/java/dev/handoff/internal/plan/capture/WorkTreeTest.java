package dev.handoff.internal.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancelledException;
import dev.handoff.plan.CaptureException;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A working copy of a directory in a repository")
@DisabledOnOs(OS.WINDOWS)
class WorkTreeTest extends CopyTest {

  private volatile Thread maker;

  private String workTrees() throws Exception {
    return git("worktree", "list", "--porcelain");
  }

  @Test
  void comesAndGoesBesideManyOthers() throws Exception {
    commit();
    var all = new ArrayList<Callable<List<String>>>();
    for (int attempt = 1; attempt <= 48; attempt++) {
      var owner = new CapturedCopy.Owner(JOB, attempt, stop.token());
      var wanted = new CapturedCopy.Wanted(source, false, CaptureLimits.USUAL);
      all.add(
          () -> {
            try (var copy = CapturedCopy.make(copies, wanted, owner, NONE, new Stored())) {
              return names(copy.path());
            }
          });
    }
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (var one : threads.invokeAll(all)) {
        assertThat(one.get()).containsExactly("a.txt", "sub/b.txt");
      }
    }
    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
  }

  @Test
  void leavesNoEntryWhateverTheToolDidToIt() throws Exception {
    commit();
    var without = make(source);
    Files.delete(without.path().resolve(".git"));
    var other = make(source);
    write(other.path(), ".git", "gitdir: " + source.resolve(".git"));
    var garbled = make(source);
    write(garbled.path(), ".git", "gitdir: \0");
    var relative = make(source);
    var link = Path.of(Files.readString(relative.path().resolve(".git")).strip().substring(8));
    write(relative.path(), ".git", "gitdir: " + relative.path().relativize(link));
    write(link, "gitdir", link.relativize(relative.path().resolve(".git")).toString());
    gitIn(relative.path(), "status");
    var locked = make(source);
    git("worktree", "lock", locked.path().toString());

    without.close();
    other.close();
    garbled.close();
    relative.close();
    locked.close();

    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
  }

  /// A process killed at that moment leaves only an entry.
  @Test
  void takesAwayTheEntriesOfThoseThatAreGone() throws Exception {
    commit();
    var some = List.of(make(source), make(source));
    for (var copy : some) {
      DirectoryRemoval.of(copy.path());
    }
    assertThat(workTrees()).contains("prunable");

    try (var copy = make(source)) {
      assertThat(copy.path()).isEqualTo(some.getFirst().path());
      assertThat(workTrees()).contains(copy.path().toString()).doesNotContain("prunable");
    }
  }

  /// Other work trees can be on a disk that is not mounted.
  @Test
  void leavesTheEntriesOfOthersAlone() throws Exception {
    commit();
    var other = temp.resolve("other");
    git("worktree", "add", "-q", "--detach", other.toString());
    DirectoryRemoval.of(other);

    make(source).close();
    var broken = make(source);
    var link = broken.path().resolve(".git");
    Files.writeString(link, Files.readString(link).strip() + "x");
    broken.close();

    assertThat(workTrees()).contains(other.toString());
  }

  /// Git reads all entries when it creates a work tree, and blocks on an unreadable one. If it were
  /// killed halfway, it would leave an entry that breaks every later call.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isMadeToItsEndByGitAlthoughItIsCancelledMeanwhile(boolean byInterrupt) throws Exception {
    commit();
    var slow = slowEntry();
    var git = new GitProgram(source, stop.token());
    var made =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                maker = Thread.currentThread();
                return WorkTrees.add(git, temp.resolve("tree"), "HEAD").exitCode();
              } catch (InterruptedException stopped) {
                return -2;
              } catch (IOException failed) {
                throw new AssertionError(failed);
              }
            },
            Thread.ofPlatform()::start);

    try (var entry = opened(slow)) {
      cancel(byInterrupt);
      goOn(slow, entry);
    }

    assertThat(BoundedWaits.get(made)).isEqualTo(byInterrupt ? -2 : 0);
    gitIn(temp.resolve("tree"), "status");
  }

  @Test
  void isNotThereOnceItIsCancelledWhileGitMakesIt() throws Exception {
    commit();
    var slow = slowEntry();
    var made = CompletableFuture.supplyAsync(() -> tried(source), Thread.ofPlatform()::start);

    try (var entry = opened(slow)) {
      cancel(false);
      goOn(slow, entry);
    }

    assertThatThrownBy(() -> BoundedWaits.get(made)).isInstanceOf(CancelledException.class);
    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).isDirectoryNotContaining("glob:**/" + JOB + "*");
  }

  private void cancel(boolean byInterrupt) {
    if (byInterrupt) {
      maker.interrupt();
    } else {
      stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "enough", "test"));
    }
  }

  /// Entry that is a named pipe: its writer blocks until git reads it.
  private Path slowEntry() throws Exception {
    var entry = Files.createDirectories(source.resolve(".git/worktrees/slow"));
    Files.writeString(entry.resolve("HEAD"), git("rev-parse", "HEAD"));
    Files.writeString(entry.resolve("commondir"), "../..\n");
    var slow = entry.resolve("gitdir");
    assertThat(new ProcessBuilder("mkfifo", slow.toString()).start().waitFor()).isZero();
    return slow;
  }

  private void goOn(Path slow, OutputStream entry) throws IOException {
    var nowhere = temp.resolve("nowhere/.git") + "\n";
    Files.delete(slow);
    Files.writeString(slow, nowhere);
    entry.write(nowhere.getBytes(StandardCharsets.UTF_8));
  }

  private CapturedCopy tried(Path directory) {
    try {
      return make(directory);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a/b"})
  void leadsNowhereElseWhereTheCommitHasALink(String directory) throws Exception {
    var outside = Files.createDirectories(temp.resolve("outside/b"));
    Files.createSymbolicLink(outside.resolve("link"), temp);
    Files.createSymbolicLink(source.resolve("a"), temp.resolve("outside"));
    commit();
    Files.delete(source.resolve("a"));
    write(directory + "/new.txt", "new");

    try (var copy = make(source.resolve(directory))) {
      assertThat(copy.path().toRealPath()).isEqualTo(copy.path());
      assertThat(names(copy.path())).containsExactly("new.txt");
    }
    assertThat(outside)
        .isDirectoryContaining("glob:**/link")
        .isDirectoryNotContaining("glob:**/n*");
  }

  @Test
  void hasFilesInThePlaceOfDirectoriesAndTheOtherWayAround() throws Exception {
    write("dir/x/y.txt", "y");
    write("file", "f");
    commit();
    DirectoryRemoval.of(source.resolve("dir"));
    Files.delete(source.resolve("file"));
    write("dir", "a file now");
    write("file/new.txt", "new");
    git("add", "-A");

    try (var copy = make(source)) {
      assertThat(names(copy.path())).containsExactly("a.txt", "dir", "file/new.txt", "sub/b.txt");
      assertThat(copy.altered()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bare.git", "source/.git", "source/.git/objects"})
  void isNotMadeOfWhatBelongsToGit(String directory) throws Exception {
    commit();
    gitIn(temp, "clone", "-q", "--bare", "source", "bare.git");

    assertThatThrownBy(() -> make(temp.resolve(directory)))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("belongs to git: name a work tree of it");
    assertThat(left()).isEmpty();
  }

  @Test
  void mayHaveBlanksAroundItsName() throws Exception {
    write(" blank /c.txt", "c");
    commit();

    try (var copy = make(source.resolve(" blank "))) {
      assertThat(names(copy.path())).containsExactly("c.txt");
    }
  }
}
