package dev.handoff.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.plan.apply.TriedDisk.Died;
import dev.handoff.testing.Seeds;
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

  /// One of them, and what became of it.
  private record One(String name, List<FileEdit> edits, Outcome outcome) {}

  @Test
  void areEachWrittenInFullOrNotAtAll() {
    var seen = new HashMap<Class<?>, Integer>();
    Seeds.each(
        40,
        random -> {
          var root = directory.resolve("root");
          Trees.delete(root);
          Trees.make(root, base());

          var all = together(root, random);

          var expected = new TreeMap<>(base());
          for (var one : all) {
            seen.merge(one.outcome().getClass(), 1, Integer::sum);
            if (one.outcome() instanceof Outcome.Written) {
              one.edits().forEach(edit -> expected.put(edit.path(), one.name()));
            } else {
              assertThat(one.outcome())
                  .isInstanceOfAny(Outcome.Conflicted.class, Outcome.Undone.class);
            }
          }
          var files = files(root);
          files.keySet().removeIf(path -> isKeptAndSaid(path, all));
          assertThat(files).isEqualTo(expected);
        });

    assertThat(seen).containsKeys(Outcome.Written.class, Outcome.Conflicted.class);
  }

  /// What one of them has put into a directory in the moment in which another took its own back has
  /// no place any more, and neither is written.
  private static boolean isKeptAndSaid(String path, List<One> all) {
    return path.contains("~kept/")
        && all.stream()
            .flatMap(one -> notes(one.outcome()).stream())
            .anyMatch(note -> note.contains(path.substring(0, path.indexOf('/'))));
  }

  private static List<String> notes(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Conflicted(var conflicts, var notes) -> notes;
      case Outcome.Undone(var reason, var notes) -> notes;
      case Outcome.Written(var report, var notes) -> List.of();
      case Outcome.Already already -> List.of();
      case Outcome.Unfinished unfinished -> List.of();
      case Outcome.Refused refused -> List.of();
    };
  }

  private static Map<String, String> files(Path root) {
    var files = new TreeMap<String, String>();
    Trees.of(root).forEach((path, shown) -> files.put(path, shown.substring(10)));
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
          edits.add(new FileEdit(path, Sample.ref("base"), Sample.ref(name)));
        }
      }
      edits.add(new FileEdit("new/" + name, null, Sample.ref(name)));
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

  private static Outcome write(Path root, String name, List<FileEdit> edits) {
    return Directory.at(root)
        .write(name, edits, Sample.holding(List.of(name)), new CancellationSource().token());
  }

  /// Of which no two change the same file. All of them die at once, and are recovered one after the
  /// other or side by side.
  @Test
  void areEachFinishedOrUndoneWhereTheirProcessDies() {
    var whole = new HashMap<Boolean, Integer>();
    Seeds.each(
        150,
        random -> {
          var root = directory.resolve("root");
          Trees.delete(root);
          Trees.make(root, base());
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
          assertThat(Trees.of(directory).keySet()).noneMatch(path -> path.contains(".handoff-"));
        });

    assertThat(whole.keySet()).containsExactlyInAnyOrder(true, false);
  }

  private static void dieAfter(AtomicInteger left) {
    if (left.decrementAndGet() < 0) {
      throw new Died();
    }
  }

  private static void diesIn(Path root, Disk disk, String name, List<FileEdit> edits) {
    try {
      var contents = Sample.holding(List.of(name));
      Directory.at(root, disk).write(name, edits, contents, new CancellationSource().token());
    } catch (Died dead) {
      // As it should be.
    }
  }

  private static void recover(Path root, String name) {
    assertThat(Directory.at(root).recover(name).ending()).isNotEqualTo(Recovered.Ending.UNFINISHED);
  }

  private static void put(Map<String, String> files, FileEdit edit, String content) {
    if (edit.after() == null) {
      files.remove(edit.path());
    } else {
      files.put(edit.path(), content);
    }
  }

  /// Some are changed, some are deleted, until a directory is empty.
  private static Map<String, List<FileEdit>> apart(Random random) {
    var all = new TreeMap<String, List<FileEdit>>();
    for (int i = 0; i < 3; i++) {
      var name = "apply-" + i;
      var made = new FileEdit("new/" + name, null, Sample.ref(name));
      all.put(name, new ArrayList<>(List.of(made)));
    }
    for (var path : base().keySet()) {
      var name = "apply-" + random.nextInt(3);
      boolean stays = path.startsWith("d0") || random.nextInt(3) == 0;
      var after = stays ? Sample.ref(name) : null;
      all.get(name).add(new FileEdit(path, Sample.ref("base"), after));
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
