package dev.handoff.internal.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.git.GitIgnoreRules;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.CombinedChange;
import dev.handoff.internal.plan.change.CombinedChanges;
import dev.handoff.plan.Capture;
import dev.handoff.plan.CaptureException;
import dev.handoff.plan.ContentRef;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A working copy")
@DisabledOnOs(OS.WINDOWS)
class CapturedCopyTest extends CopyTest {

  @Test
  void tellsWhatIsDifferentInTheOrderOfThePaths() throws Exception {
    try (var copy = make(source)) {
      write(copy.path(), "z.txt", "z");
      write(copy.path(), "sub/b.txt", "new");
      Files.delete(copy.path().resolve("a.txt"));

      var altered = copy.altered();

      assertThat(altered)
          .containsExactly(
              new CapturedCopy.Altered("a.txt", sha("a"), null),
              new CapturedCopy.Altered("sub/b.txt", sha("b"), sha("new")),
              new CapturedCopy.Altered("z.txt", null, sha("z")));
      assertThat(copy.before(altered.getFirst())).asString().isEqualTo("a");
      assertThat(copy.after(altered.getLast())).asString().isEqualTo("z");
      assertThat(copy.isStored(altered.getFirst())).isFalse();
      Files.delete(copy.path().resolve("z.txt"));
      assertThat(copy.after(altered.getLast())).isNull();
    }
    assertThat(names(source)).containsExactly("a.txt", "sub/b.txt");
    assertThat(left()).isEmpty();
  }

  @Test
  void seesAChangeOfTheSameLengthAndTime() throws Exception {
    try (var copy = make(source)) {
      var file = copy.path().resolve("a.txt");
      var modified = Files.getLastModifiedTime(file);
      Files.writeString(file, "b");
      Files.setLastModifiedTime(file, modified);

      assertThat(copy.altered()).extracting(CapturedCopy.Altered::path).containsExactly("a.txt");
    }
  }

  @Test
  void fromNothingIsEmpty() throws Exception {
    try (var copy = make((Path) null)) {
      assertThat(names(copy.path())).isEmpty();
      write(copy.path(), "a.txt", "new");

      assertThat(copy.altered())
          .containsExactly(new CapturedCopy.Altered("a.txt", null, sha("new")));
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void hasWhatEarlierStepsHaveMade() throws Exception {
    var made = store("made");
    var merged = "merged".getBytes(StandardCharsets.UTF_8);
    var net =
        new CombinedChanges(
            List.of(
                new CombinedChange("a.txt", store("a"), null, false, List.of("one")),
                new CombinedChange("gone.txt", store("x"), null, false, List.of("one")),
                new CombinedChange(
                    "m.txt", null, new ContentRef(ChainHash.of(merged), 6), true, List.of("one")),
                new CombinedChange("new/c.txt", null, made, false, List.of("one"))),
            List.of(),
            Map.of(ChainHash.of(merged), merged));
    try (var copy = make(source, net)) {
      assertThat(names(copy.path())).containsExactly("m.txt", "new/c.txt", "sub/b.txt");
      assertThat(copy.altered()).isEmpty();
      write(copy.path(), "m.txt", "2");
      write(copy.path(), "new/c.txt", "2");

      var altered = copy.altered();

      assertThat(altered).extracting(copy::isStored).containsExactly(false, true);
      assertThat(copy.before(altered.getFirst())).isEqualTo(merged);
      assertThat(copy.before(altered.getLast())).asString().isEqualTo("made");
    }
  }

  @Test
  void hasFilesInThePlaceOfDirectoriesAndTheOtherWayAround() throws Exception {
    write("dir/x/y.txt", "y");
    var net =
        new CombinedChanges(
            List.of(
                new CombinedChange("a.txt", store("a"), null, false, List.of("one")),
                new CombinedChange("a.txt/in.txt", null, store("in"), false, List.of("one")),
                new CombinedChange("dir", null, store("file"), false, List.of("one")),
                new CombinedChange("dir/x/y.txt", store("y"), null, false, List.of("one"))),
            List.of(),
            Map.of());

    try (var copy = make(source, net)) {
      assertThat(names(copy.path())).containsExactly("a.txt/in.txt", "dir", "sub/b.txt");
      assertThat(copy.altered()).isEmpty();
    }
  }

  /// Background processes of the tool can still delete files.
  @Test
  void losesNothingToFilesThatGoWhileItIsLookedAt() throws Exception {
    for (int i = 0; i < 20; i++) {
      write("many/" + i, "x");
      write("many/d" + i + "/f", "x");
    }
    var seen = new ArrayList<String>();
    var rules =
        new TreeWalk.Rules(GitIgnoreRules.nothing(), name -> true, null, CaptureLimits.USUAL);

    TreeWalk.through(
        source,
        rules,
        stop.token(),
        new TreeWalk.Visitor() {
          @Override
          public void file(String name, Path file, BasicFileAttributes now) throws IOException {
            seen.add(name);
            if (name.startsWith("many/")) {
              DirectoryRemoval.of(source.resolve("many"));
            }
          }

          @Override
          public void other(String name, Path entry, BasicFileAttributes now) {
            seen.add(name);
          }
        });

    assertThat(seen).contains("a.txt", "sub/b.txt").hasSize(3);
    assertThat(source.resolve("many")).doesNotExist();
  }

  @Test
  void thatLacksWhatAnEarlierStepMadeIsNotMade() throws IOException {
    var net =
        new CombinedChanges(
            List.of(
                new CombinedChange(
                    "c.txt", null, new ContentRef(sha("?"), 1), false, List.of("one"))),
            List.of(),
            Map.of());

    assertThatThrownBy(() -> make(source, net))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("\"c.txt\" is missing in the store");
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hasNoLinksAndTakesNone(boolean inGit) throws Exception {
    Files.createSymbolicLink(source.resolve("link"), temp);
    if (inGit) {
      commit();
    }
    try (var copy = make(source)) {
      assertThat(names(copy.path())).containsExactly("a.txt", "sub/b.txt");
      assertThat(copy.altered()).isEmpty();
      Files.createSymbolicLink(copy.path().resolve("sub/made"), temp);

      assertThatThrownBy(copy::altered)
          .isInstanceOf(CaptureException.class)
          .hasMessageStartingWith("\"sub/made\" is a link or no file");
    }
    assertThat(left()).isEmpty();
    assertThat(source.resolve("link")).isSymbolicLink();
    assertThat(temp.resolve("source/a.txt")).exists();
  }

  @Test
  void takesNoHugeFilesAndNoOddNames() throws Exception {
    try (var copy = make(source)) {
      var huge = copy.path().resolve("huge.bin");
      Files.write(huge, new byte[(10 << 20) + 1]);
      assertThatThrownBy(copy::altered)
          .hasMessageStartingWith(
              "\"huge.bin\" has 10485761 bytes: a file in a change has at most");
      Files.delete(huge);
      for (var name :
          List.of("con", "back\\slash", "end.", ".handoff-x", "tab\tbed", "a%2Fb", "git~1")) {
        var odd = Files.writeString(copy.path().resolve(name), "odd");
        assertThatThrownBy(copy::altered)
            .as(name)
            .isInstanceOf(CaptureException.class)
            .hasMessageContaining("cannot be recorded");
        Files.delete(odd);
      }
      assertThat(copy.altered()).isEmpty();
    }
  }

  /// One error at a time would cost a run of the step for each.
  @Test
  void namesAllThatItCannotTakeAtOnce() throws Exception {
    try (var copy = make(source)) {
      for (int i = 10; i < 40; i++) {
        write(copy.path(), "odd-" + i + ".", "odd");
      }
      Files.createSymbolicLink(copy.path().resolve("link"), temp);

      assertThatThrownBy(copy::altered)
          .isInstanceOf(CaptureException.class)
          .hasMessageStartingWith("\"link\" is a link or no file")
          .hasMessageContaining("nor can \"odd-10.\", \"odd-11.\", ")
          .hasMessageEndingWith("\"odd-28.\" and 11 more");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tellsWhatItLeavesOutForItIsOfGit(boolean inGit) throws Exception {
    if (inGit) {
      commit();
    }
    try (var copy = make(source)) {
      assertThat(copy.altered()).isEmpty();
      assertThat(copy.leftOut()).isEmpty();
      write(copy.path(), "new/.git/config", "x");
      write(copy.path(), "sub/.GIT", "x");

      assertThat(copy.altered()).isEmpty();
      assertThat(copy.leftOut()).containsExactly("new/.git", "sub/.GIT");
    }
  }

  @Test
  void mayHoldHugeFilesAndOddNamesThatStay() throws Exception {
    Files.write(source.resolve("huge.bin"), new byte[(10 << 20) + 1]);
    write("con", "odd");
    try (var copy = make(source)) {
      write(copy.path(), "a.txt", "new");

      assertThat(copy.altered()).extracting(CapturedCopy.Altered::path).containsExactly("a.txt");
    }
  }

  @Test
  void holdsNoMoreThanItMay() throws IOException {
    var tooFew = new CapturedCopy.Wanted(source, false, new CaptureLimits(1, 1_000));
    var tooSmall = new CapturedCopy.Wanted(source, false, new CaptureLimits(10, 1));

    assertThatThrownBy(() -> make(tooFew, NONE))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("more than 1 files or 1000 bytes");
    assertThatThrownBy(() -> make(tooSmall, NONE)).hasMessageContaining("or 1 bytes");
    assertThat(left()).isEmpty();
    assertThatThrownBy(() -> Capture.fromNothing().atMost(0, 1))
        .hasMessageContaining("room for a file");
  }

  @Test
  void ofNoDirectoryIsNotMade() {
    assertThatThrownBy(() -> make(source.resolve("none")))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("is not a directory");
  }

  @Test
  void isNotMadeForAnAttemptThatWasCancelled() throws Exception {
    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "test"));

    assertThatThrownBy(() -> make(source)).isInstanceOf(CancelledException.class);
    assertThatThrownBy(() -> make((Path) null)).isInstanceOf(CancelledException.class);
    assertThat(left()).isEmpty();
  }

  @Test
  void ofARepositoryHasWhatIsNotCommittedAndNotWhatIsIgnored() throws Exception {
    write(".gitignore", "*.log\nbuild/\n");
    write("old.txt", "old");
    commit();
    write("a.txt", "not committed");
    write("new.txt", "not added");
    write("x.log", "ignored");
    Files.delete(source.resolve("old.txt"));
    try (var copy = make(source)) {
      assertThat(copy.path().resolve(".git")).isRegularFile();
      assertThat(names(copy.path())).containsExactly(".gitignore", "a.txt", "new.txt", "sub/b.txt");
      assertThat(copy.altered()).isEmpty();
      write(copy.path(), "y.log", "ignored");
      write(copy.path(), "build/out", "ignored");
      write(copy.path(), "a.txt", "by the tool");
      write(copy.path(), "sub/b.txt", "by the tool");

      var altered = copy.altered();

      assertThat(altered)
          .extracting(CapturedCopy.Altered::path)
          .containsExactly("a.txt", "sub/b.txt");
      assertThat(copy.before(altered.getFirst())).asString().isEqualTo("not committed");
      write("sub/b.txt", "meanwhile");
      assertThat(copy.before(altered.getLast())).asString().isEqualTo("b");
      write("a.txt", "meanwhile");
      assertThatThrownBy(() -> copy.before(altered.getFirst()))
          .isInstanceOf(CaptureException.class)
          .hasMessageContaining("\"a.txt\" was changed in");
    }
    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
    assertThat(names(source.resolve("sub"))).containsExactly("b.txt");
  }

  /// The files that git checks out can differ from those in the directory, although git reports no
  /// change.
  @ParameterizedTest
  @ValueSource(strings = {"attributes", "autocrlf", "sparse"})
  void ofARepositoryHoldsWhatTheDirectoryHoldsWhateverGitConverts(String how) throws Exception {
    write("w.txt", "one\ntwo\n");
    if (how.equals("attributes")) {
      write(".gitattributes", "*.txt text eol=crlf\n");
    }
    commit();
    if (how.equals("autocrlf")) {
      git("config", "core.autocrlf", "true");
    }
    if (how.equals("sparse")) {
      git("update-index", "--skip-worktree", "a.txt");
      Files.delete(source.resolve("a.txt"));
    }
    git("diff", "--exit-code", "HEAD");
    try (var copy = make(source)) {
      assertThat(names(copy.path())).isEqualTo(names(source, ".git/"));
      assertThat(copy.altered()).isEmpty();
      var file = copy.path().resolve("w.txt");
      Files.writeString(file, Files.readString(file) + "three\n");

      var altered = copy.altered();

      assertThat(altered).extracting(CapturedCopy.Altered::path).containsExactly("w.txt");
      assertThat(copy.before(altered.getFirst())).asString().isEqualTo("one\ntwo\n");
      assertThat(copy.after(altered.getFirst())).asString().isEqualTo("one\ntwo\nthree\n");
    }
  }

  /// Git tracks known files regardless of its ignore rules.
  @Test
  void ofARepositorySeesWhatIsKeptAlthoughItIsIgnored() throws Exception {
    write("build/kept.txt", "kept");
    commit();
    write(".gitignore", "build/\n");
    try (var copy = make(source)) {
      write(copy.path(), "build/kept.txt", "new");
      write(copy.path(), "build/other.txt", "new");

      assertThat(copy.altered())
          .extracting(CapturedCopy.Altered::path)
          .containsExactly("build/kept.txt");
    }
  }

  @Test
  void ofADirectoryWithinARepositoryIsThatDirectory() throws Exception {
    commit();
    write("sub/new.txt", "new");
    try (var copy = make(source.resolve("sub"))) {
      assertThat(names(copy.path())).containsExactly("b.txt", "new.txt");
      assertThat(copy.path().getParent().resolve("a.txt")).doesNotExist();
      write(copy.path(), "b.txt", "2");

      var altered = copy.altered();

      assertThat(altered).extracting(CapturedCopy.Altered::path).containsExactly("b.txt");
      assertThat(copy.before(altered.getFirst())).asString().isEqualTo("b");
    }
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"no commit", "ignored"})
  void isACopyWhereGitHasNone(String why) throws Exception {
    var of = source;
    if (why.equals("ignored")) {
      write(".gitignore", "sub/\n");
      commit();
      of = source.resolve("sub");
    } else {
      git("init", "-q");
    }
    try (var copy = make(of)) {
      assertThat(copy.path().resolve(".git")).doesNotExist();
      assertThat(copy.altered()).isEmpty();
      assertThat(names(copy.path())).contains(of.equals(source) ? "a.txt" : "b.txt");
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void withoutTheProgramGitLeavesOutWhatIsIgnoredAllTheSame() throws Exception {
    write(".gitignore", "*.log\n");
    write("x.log", "ignored");
    commit();
    var plain = new PlainTree(source, temp.resolve("store"), CaptureLimits.USUAL, stop.token());
    var copy = temp.resolve("plain");

    plain.fill(copy);

    assertThat(names(copy)).containsExactly(".gitignore", "a.txt", "sub/b.txt");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void doesNotHoldTheStoreThatItLiesBeside(boolean inGit) throws Exception {
    copies = WorkingCopies.beside(source.resolve("data"));
    write("data/store.db", "facts");
    if (inGit) {
      Files.move(source.resolve("data"), temp.resolve("data"));
      commit();
      Files.move(temp.resolve("data"), source.resolve("data"));
    }
    try (var copy = make(source)) {
      assertThat(names(copy.path())).containsExactly("a.txt", "sub/b.txt");
    }
  }

  /// The copy would contain itself until its path is too long, or contain the store.
  @ParameterizedTest
  @ValueSource(strings = {"", "working-copies", "working-copies/kept"})
  void isNotMadeOfTheEnginesOwnDirectory(String below) throws Exception {
    copies = WorkingCopies.beside(source);
    Files.createDirectories(source.resolve("working-copies/kept"));

    assertThatThrownBy(() -> make(source.resolve(below)))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("is the engine's own directory");
    assertThat(left()).containsExactly("kept");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isMadeOfADirectoryBesideTheStore(boolean inGit) throws Exception {
    copies = WorkingCopies.beside(source);
    write("sub/sub/c.txt", "c");
    if (inGit) {
      commit();
      write("sub/new.txt", "new");
    }
    try (var copy = make(source.resolve("sub"))) {
      assertThat(names(copy.path())).contains("b.txt", inGit ? "new.txt" : "sub/c.txt");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isMadeOfAnotherThatWasKept(boolean inGit) throws Exception {
    if (inGit) {
      commit();
    }
    var kept = make(new CapturedCopy.Wanted(source, true, CaptureLimits.USUAL), NONE);
    kept.close();
    write(kept.path(), "new.txt", "new");

    try (var copy = make(kept.path())) {
      assertThat(names(copy.path())).containsExactly("a.txt", "new.txt", "sub/b.txt");
    }
  }

  @Test
  void thatIsKeptStays() throws Exception {
    commit();
    var kept = make(new CapturedCopy.Wanted(source, true, CaptureLimits.USUAL), NONE);
    kept.close();

    assertThat(kept.path().resolve("a.txt")).exists();
    assertThat(copies.leftovers()).isEmpty();
  }

  @Test
  void isRemovedWhateverTheToolDidToIt() throws Exception {
    commit();
    var copy = make(source);
    var locked = Files.createDirectories(copy.path().resolve("locked/in"));
    Files.writeString(locked.resolve("file"), "x");
    assertThat(locked.toFile().setWritable(false)).isTrue();
    assertThat(locked.getParent().toFile().setExecutable(false)).isTrue();
    Files.delete(copy.path().resolve(".git"));

    copy.close();

    assertThat(left()).isEmpty();
  }

  /// The depth exceeds the path limit: the tool went down step by step.
  @Test
  void isRemovedHoweverDeepItIs() throws Exception {
    var copy = make((Path) null);
    var name = "d".repeat(200);
    var deeper = "mkdir %s && cd -P %s 2>/dev/null || exit 1;".formatted(name, name).repeat(60);
    var tool = new ProcessBuilder("sh", "-c", deeper + "touch file");
    assertThat(tool.directory(copy.path().toFile()).start().waitFor()).isZero();

    copy.close();

    assertThat(left()).isEmpty();
  }

  @Test
  void isRemovedOnceNothingPutsFilesIntoItAnyMore() {
    var tries = new LinkedBlockingQueue<Integer>();
    var copy = temp.resolve("copy");

    WorkingCopies.remove(
        copy,
        () -> {
          tries.add(tries.size());
          if (tries.size() < 3) {
            throw new DirectoryNotEmptyException(copy.toString());
          }
        },
        List.of(Duration.ZERO, Duration.ZERO, Duration.ZERO));

    BoundedWaits.until("it is gone", () -> tries.size() == 3);
  }

  @Test
  void isRemovedOnAThreadThatWasInterrupted() throws Exception {
    commit();
    var copy = make(source);
    Thread.currentThread().interrupt();

    copy.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
  }

  @Test
  void ofADeadProcessIsClearedAway() throws Exception {
    commit();
    make(source);
    make(source);
    make((Path) null);
    assertThat(left()).hasSize(3);
    assertThat(copies.leftovers()).hasSize(3);

    copies.clear(JOB, 2);
    assertThat(left()).hasSize(3);
    copies.clear(JOB, 1);

    assertThat(left()).isEmpty();
    assertThat(source.resolve(".git/worktrees")).doesNotExist();
  }

  @Test
  void outsideOfAStoreIsWhereOthersMayBeToo() {
    assertThat(WorkingCopies.temporary().directory())
        .hasParentRaw(Path.of(System.getProperty("java.io.tmpdir")));
  }
}
