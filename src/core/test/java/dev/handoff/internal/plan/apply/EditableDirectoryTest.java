package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.internal.plan.apply.TriedDisk.Before;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.plan.ContentRef;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A directory that edits are applied to")
@EnabledOnOs(OS.LINUX)
class EditableDirectoryTest {

  static final List<EditSample> SAMPLES = EditSample.ALL;

  @TempDir(factory = InMemory.class)
  Path directory;

  private final CancellationSource stop = new CancellationSource();

  private Path root() {
    return directory.resolve("root");
  }

  private DryRunResult check(EditSample sample) {
    return EditableDirectory.at(root()).check(sample.edits(), stop.token());
  }

  private ApplyResult write(EditSample sample) {
    return sample.write(root(), SecureDisk.INSTANCE);
  }

  private ApplyResult write(FileEdit... edits) {
    return EditableDirectory.at(root())
        .write("plan-1", List.of(edits), EditSample.holding(List.of("new")), stop.token());
  }

  private static FileEdit edit(String path, @Nullable String before, @Nullable String after) {
    return new FileEdit(path, EditSample.ref(before), EditSample.ref(after));
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isAsTheEditsSay(EditSample sample) {
    var scene = ApplyScene.of(directory, sample);
    var fits = EditableDirectory.at(scene.again().root()).check(sample.edits(), stop.token());
    var asBefore = scene.now();

    var outcome = sample.write(scene.root(), SecureDisk.INSTANCE);

    assertThat(fits).isEqualTo(new DryRunResult.Fits());
    assertThat(asBefore).isEqualTo(scene.before());
    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(scene.now()).isEqualTo(scene.after());
    scene.isClean();
  }

  @Test
  void isToldHowMuchWasWritten() {
    var sample = EditSample.ALL.getFirst();
    sample.make(root());

    var outcome = write(sample);

    assertThat(outcome)
        .isEqualTo(new ApplyResult.Written(new ApplyResult.Report(3, 2, 2, 27), List.of()));
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void knowsWhatWasWrittenBefore(EditSample sample) {
    sample.make(root());
    write(sample);
    var written = DirectoryTrees.of(root());

    assertThat(check(sample)).isEqualTo(new DryRunResult.Already());
    assertThat(write(sample)).isEqualTo(new ApplyResult.Already());
    assertThat(DirectoryTrees.of(root())).isEqualTo(written);
  }

  @Test
  void hasEverythingAlreadyWhereThereIsNothingToDo() {
    DirectoryTrees.make(root(), Map.of("a", "same"));

    assertThat(write()).isEqualTo(new ApplyResult.Already());
    assertThat(write(edit("a", "same", "same"))).isEqualTo(new ApplyResult.Already());
    assertThat(write(edit("b", "same", "same"))).isInstanceOf(ApplyResult.Conflicted.class);
  }

  @Test
  void tellsAllConflictsAndWritesNothing() throws IOException {
    DirectoryTrees.make(
        root(),
        Map.of(
            "changed", "else", "there", "else", "dir/a", "a", "file", "f", "done", "new", "dirs/",
            ""));
    Files.createSymbolicLink(root().resolve("link"), root().resolve("changed"));
    Files.createSymbolicLink(root().resolve("links"), root().resolve("dir"));
    assertThat(new ProcessBuilder("mkfifo", root().resolve("pipe").toString()).start())
        .satisfies(made -> assertThat(made.waitFor()).isZero());
    var before = DirectoryTrees.of(root().resolve("dir"));
    var edits =
        List.of(
            edit("changed", "old", "new"),
            edit("there", null, "new"),
            edit("missing", "old", "new"),
            edit("none/too", "old", "new"),
            edit("dirs", "old", "new"),
            edit("link", "else", "new"),
            edit("links/a", "a", "new"),
            edit("links/b", null, "new"),
            edit("file/b", null, "new"),
            edit("pipe", "old", null),
            edit("done", "old", "new"),
            edit("gone", "old", null),
            edit("not/there", "old", null),
            edit("dir/a", "a", "new"));

    var outcome =
        EditableDirectory.at(root())
            .write("x", edits, EditSample.holding(List.of("new")), stop.token());

    assertThat(((ApplyResult.Conflicted) outcome).conflicts())
        .extracting(conflict -> conflict.path() + " " + conflict.found())
        .containsExactly(
            "changed FILE",
            "dirs DIRECTORY",
            "done ALREADY",
            "file/b PARENT_FILE",
            "gone ALREADY",
            "link LINK",
            "links/a PARENT_LINK",
            "links/b PARENT_LINK",
            "missing MISSING",
            "none/too MISSING",
            "not/there ALREADY",
            "pipe SPECIAL",
            "there FILE");
    assertThat(DirectoryTrees.of(root().resolve("dir"))).isEqualTo(before);
    assertThat(((ApplyResult.Conflicted) outcome).conflicts().getFirst().message())
        .isEqualTo(
            "\"changed\": it holds something else; expected: 3 bytes with SHA-256 "
                + EditSample.ref("old").sha256());
    assertThat(((ApplyResult.Conflicted) outcome).conflicts().getLast().message())
        .isEqualTo("\"there\": it is there; expected: nothing");
  }

  @Test
  void isNotMadeWhereItWouldHaveToHoldSomething() {
    var outcome = write(edit("a", "old", "new"), edit("b", "old", null));

    assertThat(((ApplyResult.Conflicted) outcome).conflicts())
        .extracting(FileConflict::found)
        .containsExactly(Obstacle.MISSING, Obstacle.ALREADY);
    assertThat(root()).doesNotExist();
    assertThat(check(EditSample.of("").with("b", "old", null)))
        .isEqualTo(new DryRunResult.Already());
  }

  @Test
  void mayBeNamedByALink() throws IOException {
    DirectoryTrees.make(directory.resolve("real"), Map.of("a", "old"));
    Files.createSymbolicLink(root(), directory.resolve("real"));

    var outcome = write(edit("a", "old", "new"));

    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(directory.resolve("real/a")).hasContent("new");
  }

  @Test
  void isRefusedWhereNothingCanBeWritten() throws IOException {
    var edit = edit("a", null, "new");
    Files.writeString(root(), "a file");
    assertThat(write(edit))
        .isEqualTo(new ApplyResult.Refused("\"" + root() + "\" is not a directory"));
    Files.delete(root());
    Files.createSymbolicLink(root(), directory.resolve("nowhere"));
    assertThat(write(edit))
        .isEqualTo(new ApplyResult.Refused("\"" + root() + "\" is a link that leads nowhere"));
    assertThat(check(EditSample.of("").with("a", null, "new")))
        .isEqualTo(new DryRunResult.Refused("\"" + root() + "\" is a link that leads nowhere"));
    Files.delete(root());

    for (var path : List.of("x/y", "x/..", "x/.", "../" + directory.getFileName() + "/x/y")) {
      var away = directory.resolve(path);
      assertThat(EditableDirectory.at(away).check(List.of(edit), stop.token()))
          .isEqualTo(
              new DryRunResult.Refused(
                  "\"" + away + "\" cannot be made: the directory above it is not there"));
    }
    DirectoryTrees.make(directory.resolve("repo/.git"), Map.of());
    assertThat(
            EditableDirectory.at(directory.resolve("repo/.git")).check(List.of(edit), stop.token()))
        .isInstanceOf(DryRunResult.Refused.class);
    assertThat(EditableDirectory.at(directory.resolve("repo")).check(List.of(edit), stop.token()))
        .isEqualTo(new DryRunResult.Fits());
  }

  @Test
  void isRefusedWhereItsFileSystemHasNoHandles() throws IOException {
    var archive = directory.resolve("a.zip");
    try (var zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      var inside = Files.createDirectory(zip.getPath("root"));

      var outcome =
          EditableDirectory.at(inside)
              .write(
                  "x",
                  List.of(edit("a", null, "new")),
                  EditSample.holding(List.of("new")),
                  stop.token());

      assertThat(outcome)
          .asString()
          .contains("has no handles for directories")
          .contains("take the diff to `git apply`");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "a/b", "a b", "a~b", ".a"})
  void isRefusedForAnApplyWithoutAProperName(String name) {
    var outcome =
        EditableDirectory.at(root())
            .write(
                name, List.of(edit("a", null, "n")), EditSample.holding(List.of()), stop.token());

    assertThat(outcome).asString().contains("cannot name an apply");
    assertThat(root()).doesNotExist();
    assertThat(EditableDirectory.at(root()).recover(name).ending()).isEqualTo(Ending.NOTHING);
  }

  @Test
  void isRefusedForEditsThatCannotBe() {
    DirectoryTrees.make(root(), Map.of());
    var bad = new ContentRef("../../etc/passwd", 1);

    assertThat(write(edit("a", null, null))).asString().contains("names no content");
    assertThat(write(new FileEdit("a", null, bad))).asString().contains("by no SHA-256");
    assertThat(write(edit("a", null, "new"), edit("a", null, "new")))
        .asString()
        .contains("two edits of \"a\"");
    assertThat(write(edit("a", null, "new"), edit("a/b/c", null, "new")))
        .asString()
        .contains("\"a\" is to be a file, and there are to be files in it");
    assertThat(DirectoryTrees.of(root())).hasSize(1);
  }

  @Test
  void isNotBegunWhereItWasCancelledBefore() {
    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "no", "someone"));

    assertThat(write(edit("a", null, "new")))
        .isEqualTo(new ApplyResult.Undone("it was cancelled: no", List.of()));
    assertThat(root()).doesNotExist();
  }

  @Test
  void isAsBeforeWhereAContentIsMissingOrWrong() {
    DirectoryTrees.make(root(), Map.of("a", "old"));
    var before = DirectoryTrees.of(root());
    ContentReader lying =
        new ContentReader() {
          @Override
          public Map<String, byte[]> read(Collection<String> sha256s) {
            return Map.of(sha256s.iterator().next(), new byte[3]);
          }

          @Override
          public byte @Nullable [] asStored(String sha256) {
            return null;
          }
        };

    var missing = write(edit("a", "old", "not there"));
    var wrong =
        EditableDirectory.at(root())
            .write("x", List.of(edit("a", "old", "new")), lying, stop.token());

    assertThat(missing).asString().contains("the new content of \"a\" is not in the store");
    assertThat(wrong).asString().contains("the new content of \"a\" does not fit its SHA-256");
    assertThat(DirectoryTrees.of(root())).isEqualTo(before);
  }

  @Test
  void keepsPermissionsAndGivesNewFilesTheUsualOnes() throws IOException {
    DirectoryTrees.make(root(), Map.of("run.sh", "old", "secret", "old", "usual", ""));
    permit("run.sh", "rwxr-xr-x");
    permit("secret", "rw-------");

    write(edit("run.sh", "old", "new"), edit("secret", "old", "new"), edit("new", null, "new"));

    assertThat(permissions("run.sh")).isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(permissions("secret")).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(permissions("new")).isEqualTo(permissions("usual"));
  }

  private void permit(String name, String permissions) throws IOException {
    Files.setPosixFilePermissions(
        root().resolve(name), PosixFilePermissions.fromString(permissions));
  }

  private Set<PosixFilePermission> permissions(String name) throws IOException {
    return Files.getPosixFilePermissions(root().resolve(name));
  }

  @Test
  void keepsTheOwnerOfAFileAsFarAsItMay() throws IOException {
    DirectoryTrees.make(root(), Map.of("a", "old"));
    var nobody =
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    try {
      Files.setOwner(root().resolve("a"), nobody);
    } catch (IOException notRoot) {
      assumeThat(false).as("files can be given away: that needs root").isTrue();
    }

    write(edit("a", "old", "new"));

    assertThat(Files.getOwner(root().resolve("a"))).isEqualTo(nobody);
  }

  @Test
  void leavesOtherNamesOfAFileWithWhatItHeld() throws IOException {
    DirectoryTrees.make(root(), Map.of("a", "old"));
    Files.createLink(directory.resolve("other"), root().resolve("a"));

    write(edit("a", "old", "new"));

    assertThat(root().resolve("a")).hasContent("new");
    assertThat(directory.resolve("other")).hasContent("old");
  }

  @Test
  void losesDirectoriesThatBecomeEmptyAndNoOthers() {
    DirectoryTrees.make(root(), Map.of("a/b/c", "old", "empty/", "", "d/e", "old", "d/own/", ""));

    write(edit("a/b/c", "old", null), edit("d/e", "old", null));

    assertThat(DirectoryTrees.of(root()).keySet()).containsExactly("", "d", "d/own", "empty");
  }

  /// Directories of a container image cannot be renamed on an overlay file system.
  @Test
  void keepsEmptyDirectoriesThatItsFileSystemDoesNotMove() {
    var sample = EditSample.ALL.getLast();
    sample.make(root());
    var disk =
        TriedDisk.of(
            (number, what) -> {
              if (what.matches("move .* e[0-9]+")) {
                throw new AtomicMoveNotSupportedException(what, null, "Invalid cross-device link");
              }
            });

    var outcome = sample.write(root(), disk);

    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(DirectoryTrees.of(root()).keySet()).containsExactly("", "a", "a/b", "same.txt");
    assertThat(sample.write(root(), SecureDisk.INSTANCE)).isEqualTo(new ApplyResult.Already());
  }

  @Test
  void findsNamesThatDifferInCaseAloneWhereThatIsNoDifference() {
    DirectoryTrees.make(root(), Map.of("Readme.md", "old", "Docs/a", "a", "exact", "old"));
    var edits =
        List.of(
            edit("readme.md", "old", "new"),
            edit("docs/b", null, "new"),
            edit("exact", "old", "new"));

    var checked = EditableDirectory.at(root(), new FoldingDisk()).check(edits, stop.token());

    assertThat(((DryRunResult.Conflicted) checked).conflicts())
        .extracting(conflict -> conflict.path() + " " + conflict.found())
        .containsExactly("docs/b OTHER_CASE", "readme.md OTHER_CASE");
  }

  /// The target may later be copied to a file system that ignores case.
  @Test
  void refusesTwoNamesThatDifferInCaseOnly() {
    DirectoryTrees.make(root(), Map.of("a", "a"));
    var before = DirectoryTrees.of(root());
    var edits = List.of(edit("New", null, "new"), edit("new", null, "new"));

    var outcome =
        EditableDirectory.at(root(), new FoldingDisk())
            .write("x", edits, EditSample.holding(List.of("new")), stop.token());

    assertThat(outcome)
        .isEqualTo(
            new ApplyResult.Refused(
                "path \"new\" differs in case or Unicode form alone from \"New\""));
    assertThat(DirectoryTrees.of(root())).isEqualTo(before);
  }

  @Test
  void isNotTouchedTwiceAtATimeByOneName() {
    EditSample.ALL.getFirst().make(root());
    var during = new ArrayList<ApplyResult>();
    var disk =
        TriedDisk.of(
            Before.first(
                "move journal",
                (number, what) ->
                    during.add(EditSample.ALL.getFirst().write(root(), SecureDisk.INSTANCE))));

    var outcome = EditSample.ALL.getFirst().write(root(), disk);

    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(during.getFirst())
        .asString()
        .contains("\".handoff-plan-1\" is there")
        .contains("is to be recovered first");
  }

  @Test
  void saysWhereOriginalsAreThatCouldNotBePutBack() {
    EditSample.ALL.getFirst().make(root());
    var disk =
        TriedDisk.of(
            (number, what) -> {
              if (what.equals("move n1 more.html")) {
                throw new IOException("Input/output error");
              }
              if (what.equals("look o0") && Files.exists(root().resolve(".handoff-plan-1/undo"))) {
                DirectoryTrees.make(root(), Map.of("docs/index.html", "else"));
              }
            });

    var outcome = EditSample.ALL.getFirst().write(root(), disk);

    assertThat(outcome)
        .isEqualTo(
            new ApplyResult.Undone(
                "moving \"docs/more.html\": Input/output error",
                List.of(
                    "\"docs/index.html\" was changed by somebody else meanwhile, and left as it is;"
                        + " what it held before is in \".handoff-plan-1~kept/kept-o0\"",
                    "\".handoff-plan-1~kept\" has what could be put nowhere else: [kept-o0]")));
    assertThat(root().resolve("docs/index.html")).hasContent("else");
    assertThat(root().resolve(".handoff-plan-1~kept/kept-o0")).hasContent("old index");
    assertThat(EditableDirectory.at(root()).recover("plan-1").ending()).isEqualTo(Ending.NOTHING);
    assertThat(EditSample.ALL.getFirst().write(root(), SecureDisk.INSTANCE))
        .asString()
        .contains("\".handoff-plan-1~kept\" is there, with originals of an earlier apply");
  }

  @Test
  void isInConflictWhereAFileCannotBeRead() {
    DirectoryTrees.make(root(), Map.of("a", "old", "b/c", "old"));
    var disk =
        TriedDisk.of(
            (number, what) -> {
              if (what.equals("read a") || what.equals("open b")) {
                throw new AccessDeniedException("a");
              }
            });
    var edits = List.of(edit("a", "old", "new"), edit("b/c", "old", null));

    var checked = EditableDirectory.at(root(), disk).check(edits, stop.token());

    assertThat(((DryRunResult.Conflicted) checked).conflicts())
        .extracting(FileConflict::found)
        .containsExactly(Obstacle.UNREADABLE, Obstacle.UNREADABLE);
  }

  @Test
  void isRefusedWhereThisUserMayNotWrite() {
    DirectoryTrees.make(root(), Map.of("a", "old"));
    var disk =
        TriedDisk.of(
            Before.first(
                "make",
                (number, what) -> {
                  throw new AccessDeniedException("x");
                }));

    var outcome =
        EditableDirectory.at(root(), disk)
            .write(
                "x",
                List.of(edit("a", "old", "new")),
                EditSample.holding(List.of("new")),
                stop.token());

    assertThat(outcome)
        .isEqualTo(
            new ApplyResult.Refused(
                "\"" + root() + "\" cannot be used: this user may not do that"));
  }

  @Test
  void isNotMadeOverOneThatSomebodyElseMadeMeanwhile() {
    var disk =
        TriedDisk.of(
            Before.first(
                "look root",
                (number, what) -> DirectoryTrees.make(root(), Map.of("mine", "mine"))));

    var outcome = EditSample.ALL.get(2).write(root(), disk);

    assertThat(outcome)
        .isEqualTo(
            new ApplyResult.Undone(
                "\"" + root() + "\" was made by somebody else meanwhile", List.of()));
    assertThat(DirectoryTrees.of(directory).keySet()).containsExactly("", "root", "root/mine");
  }

  @Test
  void takesADirectoryThatSomebodyElseMadeInTheVeryMoment() {
    var scene = ApplyScene.of(directory, EditSample.ALL.getFirst()).again();
    var disk =
        TriedDisk.of(
            Before.first(
                "move d0 new",
                (number, what) -> DirectoryTrees.make(scene.root(), Map.of("new/mine", "mine"))));

    var outcome = scene.sample().write(scene.root(), disk);

    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(scene.root().resolve("new/mine")).hasContent("mine");
    assertThat(scene.root().resolve("new/deep/first.txt")).hasContent("first");
  }

  @Test
  void staysWhereItIsNewAndSomebodyElseHasPutSomethingIntoIt() {
    var disk =
        TriedDisk.of(
            Before.first(
                "write n1",
                (number, what) -> {
                  DirectoryTrees.make(root(), Map.of("mine", "mine"));
                  throw new IOException("No space left on device");
                }));

    var outcome = EditSample.ALL.get(2).write(root(), disk);

    assertThat(outcome)
        .isEqualTo(new ApplyResult.Undone("preparing: No space left on device", List.of()));
    assertThat(DirectoryTrees.of(directory).keySet()).containsExactly("", "root", "root/mine");
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void isAsBeforeOnADiskThatHasNoRoomForAnything(EditSample sample) {
    sample.make(root());
    var before = DirectoryTrees.of(directory);
    var full =
        TriedDisk.of(
            (number, what) -> {
              if (what.startsWith("lock ")) {
                throw new IOException("No space left on device");
              }
            });

    var outcome = sample.write(root(), full);

    assertThat(outcome).isEqualTo(new ApplyResult.Undone("No space left on device", List.of()));
    assertThat(DirectoryTrees.of(directory)).isEqualTo(before);
  }

  /// Moves start only after the journal is on the disk, and the originals are deleted only after
  /// all moves are.
  @Test
  void waitsForTheDiskBeforeEachOfItsPhases() {
    EditSample.ALL.getFirst().make(root());
    var trace = new ArrayList<String>();
    var disk =
        TriedDisk.of(
            (number, what) -> {
              if (what.matches("(write|move|delete|sync|make).*")) {
                trace.add(what.replaceAll("(write|move|delete) [ndoe][0-9].*", "$1"));
              }
            });

    EditSample.ALL.getFirst().write(root(), disk);

    var told = String.join(", ", trace);
    assertThat(told)
        .startsWith("make .handoff-plan-1, sync, write, ")
        .containsPattern(
            "write, .*write journal, sync, move journal commit, sync, move last.txt o4,")
        .containsPattern(
            "move, (sync, ){5}move .handoff-plan-1 .handoff-plan-1~done, sync, delete,")
        .endsWith("deleteDirectory .handoff-plan-1~done, sync");
  }

  @Test
  void hasNothingToRecoverWhereThereWasNothing() {
    assertThat(EditableDirectory.at(root()).recover("x").ending()).isEqualTo(Ending.NOTHING);
    DirectoryTrees.make(root(), Map.of("a", "a"));
    assertThat(EditableDirectory.at(root()).recover("x").ending()).isEqualTo(Ending.NOTHING);
    assertThat(EditableDirectory.at(root().resolve("a")).recover("x").ending())
        .isEqualTo(Ending.NOTHING);
    assertThat(EditableDirectory.at(directory.resolve("no/no")).recover("x").ending())
        .isEqualTo(Ending.NOTHING);
  }

  @Test
  void readsContentsInSlices() {
    var half = "x".repeat(6 << 20);
    var texts = List.of(half + "1", half + "2", half + "3", half + "4", half + "5");
    var edits = new ArrayList<FileEdit>();
    texts.forEach(text -> edits.add(edit("f" + edits.size(), null, text)));
    var all = EditSample.holding(texts);
    var read = new ArrayList<Integer>();
    ContentReader counting =
        new ContentReader() {
          @Override
          public Map<String, byte[]> read(Collection<String> sha256s) {
            read.add(sha256s.size());
            return all.read(sha256s);
          }

          @Override
          public byte @Nullable [] asStored(String sha256) {
            return all.asStored(sha256);
          }
        };

    var outcome = EditableDirectory.at(root()).write("x", edits, counting, stop.token());

    assertThat(outcome).isInstanceOf(ApplyResult.Written.class);
    assertThat(read).containsExactly(2, 2, 1);
  }
}
