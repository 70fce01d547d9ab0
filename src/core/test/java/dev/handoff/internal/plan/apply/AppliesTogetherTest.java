package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.apply.TriedDisk.Died;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.testing.RandomSeeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Applies to one directory at the same time")
@EnabledOnOs(OS.LINUX)
class AppliesTogetherTest {

  private static final int FILES = 12;

  @TempDir(factory = InMemory.class)
  Path directory;

  /// Apply with its outcome.
  private record One(String name, List<FileEdit> edits, ApplyResult outcome) {}

  @Test
  void areEachWrittenInFullOrNotAtAll() {
    var seen = new HashMap<Class<?>, Integer>();
    RandomSeeds.each(
        40,
        random -> {
          var root = directory.resolve("root");
          DirectoryTrees.delete(root);
          DirectoryTrees.make(root, base());

          var all = together(root, random);

          var expected = new TreeMap<>(base());
          for (var one : all) {
            seen.merge(one.outcome().getClass(), 1, Integer::sum);
            if (one.outcome() instanceof ApplyResult.Written) {
              one.edits().forEach(edit -> expected.put(edit.path(), one.name()));
            } else {
              assertThat(one.outcome())
                  .isInstanceOfAny(ApplyResult.Conflicted.class, ApplyResult.Undone.class);
            }
          }
          var files = files(root);
          files.keySet().removeIf(path -> isKeptAndSaid(path, all));
          assertThat(files).isEqualTo(expected);
        });

    assertThat(seen).containsKeys(ApplyResult.Written.class, ApplyResult.Conflicted.class);
  }

  /// Whether a note names a file that was kept aside. A file put into a directory at the moment
  /// when another apply removes that directory loses its place, and neither apply is written.
  private static boolean isKeptAndSaid(String path, List<One> all) {
    return path.contains("~kept/")
        && all.stream()
            .flatMap(one -> notes(one.outcome()).stream())
            .anyMatch(note -> note.contains(path.substring(0, path.indexOf('/'))));
  }

  private static List<String> notes(ApplyResult outcome) {
    return switch (outcome) {
      case ApplyResult.Conflicted(var conflicts, var notes) -> notes;
      case ApplyResult.Undone(var reason, var notes) -> notes;
      case ApplyResult.Written(var report, var notes) -> List.of();
      case ApplyResult.Already already -> List.of();
      case ApplyResult.Unfinished unfinished -> List.of();
      case ApplyResult.Refused refused -> List.of();
    };
  }

  private static Map<String, String> files(Path root) {
    var files = new TreeMap<String, String>();
    DirectoryTrees.of(root).forEach((path, shown) -> files.put(path, shown.substring(10)));
    files.values().removeIf("directory"::equals);
    return files;
  }

  private static Map<String, String> base() {
    var files = new TreeMap<String, String>();
    for (int i = 0; i < FILES; i++) {
      files.put("d" + i % 3 + "/f" + i, "base");
    }
    return files;
  }

  private static List<One> together(Path root, Random random) throws Exception {
    var applies = new ArrayList<Callable<One>>();
    for (int i = 0; i < 4; i++) {
      var name = "apply-" + i;
      var edits = new ArrayList<FileEdit>();
      for (var path : base().keySet()) {
        if (random.nextInt(4) == 0) {
          edits.add(new FileEdit(path, EditSample.ref("base"), EditSample.ref(name)));
        }
      }
      edits.add(new FileEdit("new/" + name, null, EditSample.ref(name)));
      applies.add(() -> new One(name, edits, write(root, name, edits)));
    }
    try (var threads = Executors.newFixedThreadPool(applies.size())) {
      var all = new ArrayList<One>();
      for (var one : threads.invokeAll(applies)) {
        all.add(one.get());
      }
      return all;
    }
  }

  private static ApplyResult write(Path root, String name, List<FileEdit> edits) {
    return EditableDirectory.at(root)
        .write(name, edits, EditSample.holding(List.of(name)), new CancellationSource().token());
  }

  /// Applies without common files, whose process dies. They are recovered in sequence or
  /// concurrently.
  @Test
  void areEachFinishedOrUndoneWhereTheirProcessDies() {
    var whole = new HashMap<Boolean, Integer>();
    RandomSeeds.each(
        150,
        random -> {
          var root = directory.resolve("root");
          DirectoryTrees.delete(root);
          DirectoryTrees.make(root, base());
          var edits = apart(random);
          var left = new AtomicInteger(30 + random.nextInt(500));
          var mortal = TriedDisk.of((number, what) -> dieAfter(left));

          each(edits, (name, its) -> diesIn(root, mortal, name, its));
          if (random.nextBoolean()) {
            each(edits, (name, its) -> recover(root, name));
          } else {
            edits.keySet().forEach(name -> recover(root, name));
          }

          var files = files(root);
          var expected = new TreeMap<>(base());
          edits.forEach(
              (name, its) -> {
                boolean written = files.containsKey("new/" + name);
                whole.merge(written, 1, Integer::sum);
                if (written) {
                  its.forEach(edit -> put(expected, edit, name));
                }
              });
          assertThat(files).isEqualTo(expected);
          assertThat(DirectoryTrees.of(directory).keySet())
              .noneMatch(path -> path.contains(".handoff-"));
        });

    assertThat(whole.keySet()).containsExactlyInAnyOrder(true, false);
  }

  private static void dieAfter(AtomicInteger left) {
    if (left.decrementAndGet() < 0) {
      throw new Died();
    }
  }

  private static void diesIn(Path root, FileOperations disk, String name, List<FileEdit> edits) {
    try {
      var contents = EditSample.holding(List.of(name));
      EditableDirectory.at(root, disk)
          .write(name, edits, contents, new CancellationSource().token());
    } catch (Died dead) {
      // Expected.
    }
  }

  private static void recover(Path root, String name) {
    assertThat(EditableDirectory.at(root).recover(name).ending())
        .isNotEqualTo(RecoveryResult.Ending.UNFINISHED);
  }

  private static void put(Map<String, String> files, FileEdit edit, String content) {
    if (edit.after() == null) {
      files.remove(edit.path());
    } else {
      files.put(edit.path(), content);
    }
  }

  /// Edits for three applies: changes and deletions, until a directory is empty.
  private static Map<String, List<FileEdit>> apart(Random random) {
    var all = new TreeMap<String, List<FileEdit>>();
    for (int i = 0; i < 3; i++) {
      var name = "apply-" + i;
      var made = new FileEdit("new/" + name, null, EditSample.ref(name));
      all.put(name, new ArrayList<>(List.of(made)));
    }
    for (var path : base().keySet()) {
      var name = "apply-" + random.nextInt(3);
      boolean stays = path.startsWith("d0") || random.nextInt(3) == 0;
      var after = stays ? EditSample.ref(name) : null;
      all.get(name).add(new FileEdit(path, EditSample.ref("base"), after));
    }
    return all;
  }

  private static void each(
      Map<String, List<FileEdit>> applies, BiConsumer<String, List<FileEdit>> work)
      throws Exception {
    try (var threads = Executors.newFixedThreadPool(applies.size())) {
      var all = new ArrayList<Future<?>>();
      applies.forEach((name, its) -> all.add(threads.submit(() -> work.accept(name, its))));
      for (var one : all) {
        one.get();
      }
    }
  }
}
