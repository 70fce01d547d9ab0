package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.internal.plan.apply.TriedDisk.Before;
import dev.handoff.internal.plan.apply.TriedDisk.Died;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A recovery of an apply")
@EnabledOnOs(OS.LINUX)
class ApplyRecoveryTest {

  @TempDir(factory = InMemory.class)
  Path directory;

  private ApplyScene scene;

  @BeforeEach
  void prepare() {
    scene = ApplyScene.of(directory, EditSample.ALL.getFirst()).again();
  }

  private Path staging() {
    return scene.root().resolve(".handoff-plan-1");
  }

  private void dieAt(String words) {
    var disk =
        TriedDisk.of(
            Before.first(
                words,
                (number, what) -> {
                  throw new Died();
                }));
    try {
      scene.sample().write(scene.root(), disk);
      throw new AssertionError("it lives");
    } catch (Died dead) {
      assertThat(staging()).exists();
    }
  }

  @Test
  void guessesNothingWhereTheJournalIsDamaged() throws IOException {
    dieAt("move n1");
    var journal = staging().resolve("commit");
    var whole = Files.readAllBytes(journal);
    RandomSeeds.each(
        50,
        random -> {
          var damaged = whole.clone();
          damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
          Files.write(journal, damaged);
          var before = scene.now();

          var recovered = scene.recover();

          assertThat(recovered.ending()).isEqualTo(Ending.UNFINISHED);
          assertThat(recovered.notes().getFirst())
              .startsWith("\".handoff-plan-1/commit\" cannot be used: its checksum does not fit");
          assertThat(scene.now()).isEqualTo(before);
        });
    Files.write(journal, new byte[0]);
    assertThat(scene.recover().ending()).isEqualTo(Ending.UNFINISHED);

    Files.write(journal, whole);
    scene.isAsItsEndingSays(scene.recover());
  }

  /// Any program with write access to the directory can write a journal.
  @Test
  void followsNoJournalOutOfTheDirectory() throws Exception {
    for (var path : List.of("../outside.txt", "/etc/passwd", ".git/config", "a/../../b")) {
      var edit = new FileEdit(path, null, EditSample.ref("new"));
      var files = new ApplyJournal(1, "plan-1", List.of(edit), List.of(), List.of());
      var made = new ApplyJournal(1, "plan-1", List.of(), List.of(path), List.of());
      var emptied = new ApplyJournal(1, "plan-1", List.of(), List.of(), List.of(path));
      var newer = new ApplyJournal(2, "plan-1", List.of(), List.of(), List.of());
      for (var journal : List.of(files, made, emptied, newer)) {
        DirectoryTrees.make(staging(), Map.of("n0", "new", "lock", ""));
        Files.write(staging().resolve("commit"), journal.encoded());
        var before = DirectoryTrees.of(directory);

        assertThat(scene.recover().ending()).isEqualTo(Ending.UNFINISHED);
        assertThat(DirectoryTrees.of(directory)).isEqualTo(before);
      }
    }
  }

  @Test
  void takesNothingForAJournalThatIsNone() throws Exception {
    DirectoryTrees.make(staging(), Map.of());
    var body = "no journal".getBytes();
    var sum = MessageDigest.getInstance("SHA-256").digest(body);
    Files.write(staging().resolve("undo"), sum);
    Files.write(staging().resolve("undo"), body, java.nio.file.StandardOpenOption.APPEND);

    assertThat(scene.recover().ending()).isEqualTo(Ending.UNFINISHED);
  }

  @Test
  void waitsForNoPipeInPlaceOfItsLock() throws Exception {
    dieAt("move n1");
    Files.delete(staging().resolve("lock"));
    var pipe = new ProcessBuilder("mkfifo", staging().resolve("lock").toString());
    assertThat(pipe.start().waitFor()).isZero();

    var recovered = scene.recover();

    assertThat(recovered.ending()).isEqualTo(Ending.UNFINISHED);
    assertThat(recovered.notes()).containsExactly("\"lock\" is no file: nobody can hold it");
  }

  @Test
  void followsNoLinkInPlaceOfTheStagingDirectory() throws IOException {
    DirectoryTrees.make(
        directory.resolve("outside"), Map.of("n0", "mine", "o0", "mine", "journal", "mine"));
    Files.createSymbolicLink(staging(), directory.resolve("outside"));
    var before = DirectoryTrees.of(directory);

    var recovered = scene.recover();
    var outcome = scene.sample().write(scene.root(), SecureDisk.INSTANCE);

    assertThat(recovered.ending()).isEqualTo(Ending.UNFINISHED);
    assertThat(outcome).isInstanceOf(ApplyResult.Refused.class);
    assertThat(DirectoryTrees.of(directory)).isEqualTo(before);
  }

  @Test
  void keepsWhatItDoesNotKnow() throws IOException {
    dieAt("write n3");
    Files.writeString(staging().resolve("notes.txt"), "mine");

    var recovered = scene.recover();

    assertThat(recovered)
        .isEqualTo(
            new RecoveryResult(
                Ending.UNDONE,
                List.of(
                    "\".handoff-plan-1~kept\" has what could be put nowhere else: [notes.txt]")));
    assertThat(scene.root().resolve(".handoff-plan-1~kept/notes.txt")).hasContent("mine");
  }

  @Test
  void undoesWhatCannotBeFinishedAnyMoreAndSaysWhy() throws IOException {
    dieAt("move n1");
    Files.writeString(scene.root().resolve("docs/more.html"), "mine");

    var recovered = scene.recover();

    assertThat(recovered.ending()).isEqualTo(Ending.UNDONE);
    assertThat(recovered.notes().getFirst())
        .isEqualTo(
            "it could not be finished, so it was undone: \"docs/more.html\": it is there;"
                + " expected: nothing");
    Files.delete(scene.root().resolve("docs/more.html"));
    assertThat(scene.now()).isEqualTo(scene.before());
  }

  @Test
  void saysWhatOfOursSomebodyElseHasChanged() throws IOException {
    dieAt("move n6");
    Files.writeString(scene.root().resolve("readme.md"), "mine");
    Files.writeString(scene.root().resolve("docs/more.html"), "mine, too");
    Files.writeString(scene.root().resolve("new/deep/second.txt"), "not yours");
    Files.delete(scene.root().resolve("new/deep/first.txt"));
    Files.createDirectory(scene.root().resolve("new/deep/first.txt"));

    var recovered = scene.recover();

    assertThat(recovered.ending()).isEqualTo(Ending.UNDONE);
    assertThat(recovered.notes())
        .anyMatch(note -> note.startsWith("\"docs/more.html\" was changed by somebody else"))
        .anyMatch(note -> note.startsWith("\"new/deep/first.txt\" was changed by somebody else"))
        .anyMatch(
            note -> note.endsWith("what it held before is in \".handoff-plan-1~kept/kept-o6\""))
        .contains("the directory \"new/deep\" was left: somebody else has put something in it");
    assertThat(scene.root().resolve("docs/more.html")).hasContent("mine, too");
    assertThat(scene.root().resolve("readme.md")).hasContent("mine");
    assertThat(scene.root().resolve("docs/index.html")).hasContent("old index");
    assertThat(scene.root().resolve(".handoff-plan-1~kept/kept-o6")).hasContent("old");
  }

  @Test
  void losesNothingOfThatWhereverItDiesItself() throws IOException {
    for (int point = 1; ; point++) {
      scene.again();
      dieAt("move n6");
      Files.writeString(scene.root().resolve("readme.md"), "mine");
      Files.delete(scene.root().resolve("docs/index.html"));
      Files.createDirectory(scene.root().resolve("docs/index.html"));
      Files.writeString(scene.root().resolve("docs/more.html"), "mine, too");
      boolean died = false;
      try {
        EditableDirectory.at(scene.root(), TriedDisk.dyingAt(point)).recover(EditSample.APPLY);
      } catch (Died dead) {
        died = true;
      }

      var recovered = scene.recover();

      assertThat(recovered.ending()).isIn(Ending.UNDONE, Ending.NOTHING);
      assertThat(scene.root().resolve("docs/index.html")).isDirectory();
      assertThat(scene.now().values())
          .contains("rw-r--r-- mine", "rw-r--r-- mine, too", "rw-r--r-- old index", "rw-r--r-- old")
          .contains("rw-r--r-- last", "rw-r--r-- last, too");
      if (!died) {
        break;
      }
    }
  }

  @Test
  void isAskedForBeforeANewDirectoryIsTriedAgain() {
    var sample = EditSample.ALL.get(2);
    var fresh = directory.resolve("fresh");
    var disk =
        TriedDisk.of(
            Before.first(
                "move .handoff-plan-1~root fresh",
                (number, what) -> {
                  throw new Died();
                }));
    assertThatThrownBy(() -> sample.write(fresh, disk)).isInstanceOf(Died.class);

    var refused = sample.write(fresh, SecureDisk.INSTANCE);
    var recovered = EditableDirectory.at(fresh).recover(EditSample.APPLY);
    var written = sample.write(fresh, SecureDisk.INSTANCE);

    assertThat(refused)
        .asString()
        .contains("\".handoff-plan-1~root\" is there: an apply of that name was interrupted");
    assertThat(recovered).isEqualTo(new RecoveryResult(Ending.UNDONE, List.of()));
    assertThat(written).isInstanceOf(ApplyResult.Written.class);
  }

  @Test
  void keepsWhatSomebodyPutIntoADirectoryThatWasTakenAway() {
    var disk =
        TriedDisk.of(
            Before.first(
                "move n6",
                (number, what) -> DirectoryTrees.make(staging(), Map.of("e0/mine", "mine"))));

    var outcome = scene.sample().write(scene.root(), disk);

    assertThat(((ApplyResult.Written) outcome).notes())
        .containsExactly("\".handoff-plan-1~kept\" has what could be put nowhere else: [e0]");
    assertThat(scene.root().resolve(".handoff-plan-1~kept/e0/mine")).hasContent("mine");
  }

  /// The place is filled again right after the check.
  @Test
  void keepsWhatWasPutInPlaceTwice() throws IOException {
    dieAt("move n6");
    Files.writeString(scene.root().resolve("readme.md"), "mine");
    Files.writeString(scene.root().resolve("docs/more.html"), "first");
    var disk =
        TriedDisk.of(
            Before.first(
                "read t1",
                (number, what) ->
                    DirectoryTrees.make(scene.root(), Map.of("docs/more.html", "second"))));

    var recovered = EditableDirectory.at(scene.root(), disk).recover(EditSample.APPLY);

    assertThat(recovered.notes())
        .anyMatch(
            note ->
                note.endsWith(
                    "what somebody else had put there is in \".handoff-plan-1~kept/kept-t1\""));
    assertThat(scene.root().resolve("docs/more.html")).hasContent("second");
    assertThat(scene.root().resolve(".handoff-plan-1~kept/kept-t1")).hasContent("first");
  }

  /// While its file is moved, a directory can be empty, and another program can remove it.
  @ParameterizedTest
  @ValueSource(strings = {"look n0", "move n0"})
  void putsAFileBackWhoseDirectoriesSomebodyElseHasRemoved(String words) {
    var tidied =
        ApplyScene.of(directory.resolve("tidied"), EditSample.of("x").with("a/b/c.txt", "1", "2"));
    var disk =
        TriedDisk.of(
            Before.first(
                words, (number, what) -> DirectoryTrees.delete(tidied.root().resolve("a"))));

    var outcome = tidied.again().sample().write(tidied.root(), disk);

    assertThat(outcome).isInstanceOfAny(ApplyResult.Conflicted.class, ApplyResult.Undone.class);
    assertThat(outcome).asString().contains("notes=[]");
    assertThat(tidied.now()).isEqualTo(tidied.before());
  }

  @Test
  void putsADirectoryBackThatWasFilledInTheVeryMoment() throws IOException {
    var disk =
        TriedDisk.of(
            Before.first(
                "move er e0",
                (number, what) ->
                    DirectoryTrees.make(scene.root(), Map.of("old/deep/er/mine.txt", "mine"))));

    var outcome = scene.sample().write(scene.root(), disk);

    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(scene.root().resolve("old/deep/er/mine.txt")).hasContent("mine");
    assertThat(scene.root().resolve("old/deep/er/last.txt")).doesNotExist();
  }

  @Test
  void needsNotToSeeWhatIsBesideADirectoryThatIsThere() {
    dieAt("move n1");
    var disk = new Secretive(scene.root().getParent());

    assertThat(EditableDirectory.at(scene.root(), disk).recover(EditSample.APPLY).ending())
        .isEqualTo(Ending.FINISHED);
    assertThat(
            EditableDirectory.at(scene.root().resolveSibling("none"), disk)
                .recover(EditSample.APPLY)
                .ending())
        .isEqualTo(Ending.UNFINISHED);
  }

  /// Disk on which one directory is unreadable.
  private record Secretive(Path secret) implements FileOperations {
    @Override
    public Dir open(Path directory) throws IOException {
      if (directory.equals(secret)) {
        throw new AccessDeniedException(directory.toString());
      }
      return SecureDisk.INSTANCE.open(directory);
    }

    @Override
    public void makeDirectory(Path directory, boolean hidden) throws IOException {
      SecureDisk.INSTANCE.makeDirectory(directory, hidden);
    }
  }
}
