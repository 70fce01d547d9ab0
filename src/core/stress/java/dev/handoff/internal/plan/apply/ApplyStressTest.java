package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.testing.ChildJvm;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An apply on real disks")
class ApplyStressTest {

  @TempDir Path directory;
  private final List<Path> mounted = new ArrayList<>();

  @AfterEach
  void unmount() throws Exception {
    for (var disk : mounted) {
      runs("umount", disk.toString());
    }
  }

  private Path mount(Path disk, String size) throws Exception {
    Files.createDirectories(disk);
    assumeThat(runs("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.toString()))
        .as("a small tmpfs can be mounted here: that needs root")
        .isTrue();
    mounted.add(disk);
    return disk;
  }

  private static boolean runs(String... command) throws Exception {
    try {
      return new ProcessBuilder(List.of(command)).start().waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  @Test
  void isTakenBackWhereTheDiskIsFull() throws Exception {
    var root = mount(directory.resolve("disk"), "4m").resolve("root");
    DirectoryTrees.make(root, Map.of("a.txt", "old"));
    var before = DirectoryTrees.of(root);
    var large = List.of("a".repeat(3 << 20), "b".repeat(3 << 20));
    var edits =
        List.of(
            new FileEdit("a.txt", EditSample.ref("old"), EditSample.ref(large.get(0))),
            new FileEdit("b/c.txt", null, EditSample.ref(large.get(1))));

    var outcome =
        EditableDirectory.at(root)
            .write("full", edits, EditSample.holding(large), new CancellationSource().token());

    assertThat(outcome)
        .isEqualTo(new ApplyResult.Undone("preparing: No space left on device", List.of()));
    assertThat(DirectoryTrees.of(root)).isEqualTo(before);
  }

  @Test
  void isTakenBackWhereADirectoryIsOnAnotherDisk() throws Exception {
    var root = directory.resolve("root");
    mount(root.resolve("docs"), "4m");
    EditSample.ALL.getFirst().make(root);
    var before = DirectoryTrees.of(root);

    var outcome = EditSample.ALL.getFirst().write(root, SecureDisk.INSTANCE);

    assertThat(outcome)
        .asString()
        .contains("moving \"docs/index.html\": it is on another file system than the directory");
    assertThat(DirectoryTrees.of(root)).isEqualTo(before);
  }

  /// Kills the process at 60 random moments.
  @Test
  void isFinishedOrUndoneAfterAKill() throws Exception {
    var scene = ApplyScene.of(directory, large());
    var endings = new TreeMap<RecoveryResult.Ending, Integer>();
    var begun = begin(scene.again());
    int operations = begun.getInputStream().readAllBytes().length;
    assertThat(begun.waitFor()).isZero();
    RandomSeeds.each(
        60,
        random -> {
          var process = begin(scene.again());
          process.getInputStream().readNBytes(1 + random.nextInt(operations));
          process.destroyForcibly().waitFor();

          var recovered = scene.recover();

          scene.isAsItsEndingSays(recovered);
          endings.merge(recovered.ending(), 1, Integer::sum);
        });

    assertThat(endings).containsKeys(RecoveryResult.Ending.FINISHED, RecoveryResult.Ending.UNDONE);
  }

  /// Starts a process that prints a character before each operation.
  private static Process begin(ApplyScene scene) throws IOException {
    var command = ChildJvm.command(Large.class);
    command.add(scene.root().toString());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static EditSample large() {
    var sample = EditSample.of("large");
    var before = new TreeMap<String, String>();
    var after = new TreeMap<String, String>();
    for (int i = 0; i < 400; i++) {
      var path = "d" + i % 7 + "/e" + i % 31 + "/f" + i;
      if (i % 3 != 0) {
        before.put(path, "old " + i);
      }
      if (i % 3 != 1) {
        after.put(path, "new " + i);
      }
    }
    return new EditSample(sample.name(), before, after);
  }

  /// Applies the sample in a separate process.
  static final class Large {
    public static void main(String[] args) {
      var disk =
          TriedDisk.of(
              (number, what) -> {
                System.out.print('.');
                System.out.flush();
              });
      large().write(Path.of(args[0]), disk);
    }
  }

  @Test
  void writesTenThousandFilesInReasonableTime() {
    var root = directory.resolve("root");
    var edits = new ArrayList<FileEdit>();
    var texts = new ArrayList<String>();
    for (int i = 0; i < 10_000; i++) {
      var text = ("line of file " + i + "\n").repeat(60);
      texts.add(text);
      edits.add(new FileEdit("d" + i % 100 + "/e" + i % 7 + "/f" + i, null, EditSample.ref(text)));
    }
    var contents = EditSample.holding(texts);

    var start = System.nanoTime();
    var made =
        EditableDirectory.at(root).write("made", edits, contents, new CancellationSource().token());
    var again = System.nanoTime();
    var changes = new ArrayList<FileEdit>();
    for (var edit : edits) {
      changes.add(new FileEdit(edit.path(), edit.after(), EditSample.ref("changed")));
    }
    var changed =
        EditableDirectory.at(root)
            .write(
                "changed",
                changes,
                EditSample.holding(List.of("changed")),
                new CancellationSource().token());
    var end = System.nanoTime();

    System.out.printf(
        "10,000 files: made in %d ms, changed in %d ms%n",
        (again - start) / 1_000_000, (end - again) / 1_000_000);
    assertThat(made).isInstanceOf(ApplyResult.Written.class);
    assertThat(changed).isInstanceOf(ApplyResult.Written.class);
    assertThat((end - start) / 1_000_000).isLessThan(240_000);
  }
}
