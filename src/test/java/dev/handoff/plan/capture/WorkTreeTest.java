package dev.handoff.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancelledException;
import dev.handoff.testing.Soon;
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
    var locked = make(source);
    git("worktree", "lock", locked.path().toString());

    without.close();
    other.close();
    locked.close();

    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
  }

  /// One that was killed in the very moment has left an entry and nothing else.
  @Test
  void takesAwayTheEntriesOfThoseThatAreGone() throws Exception {
    commit();
    var some = List.of(make(source), make(source));
    for (var copy : some) {
      Removal.of(copy.path());
    }
    assertThat(workTrees()).contains("prunable");

    try (var copy = make(source)) {
      assertThat(copy.path()).isEqualTo(some.getFirst().path());
      assertThat(workTrees()).contains(copy.path().toString()).doesNotContain("prunable");
    }
  }

  /// They may be on a disk that is not there at the moment.
  @Test
  void leavesTheEntriesOfOthersAlone() throws Exception {
    commit();
    var other = temp.resolve("other");
    git("worktree", "add", "-q", "--detach", other.toString());
    Removal.of(other);

    make(source).close();
    var broken = make(source);
    var link = broken.path().resolve(".git");
    Files.writeString(link, Files.readString(link).strip() + "x");
    broken.close();

    assertThat(workTrees()).contains(other.toString());
  }

  /// Git starts others: itself, and the filters of the repository.
  @Test
  void isStoppedWithAllThatGitHasStarted() throws Exception {
    var marker = temp.resolve("started");
    write("slow.txt", "slow");
    write(".gitattributes", "slow.txt filter=slow\n");
    git("init", "-q");
    git("config", "filter.slow.clean", "cat");
    git("config", "filter.slow.smudge", "touch " + marker + "; sleep 100; cat");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    var made = CompletableFuture.supplyAsync(() -> tried(source), Thread.ofPlatform()::start);
    Soon.until("the filter runs", () -> Files.exists(marker));

    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "enough", "test"));

    assertThatThrownBy(() -> Soon.get(made)).isInstanceOf(CancelledException.class);
    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
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
    Removal.of(source.resolve("dir"));
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
