package dev.handoff.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.CancellationSource;
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
          var files = new TreeMap<String, String>();
          Trees.of(root).forEach((path, shown) -> files.put(path, shown.substring(10)));
          files.values().removeIf("directory"::equals);
          assertThat(files).isEqualTo(expected);
        });

    assertThat(seen).containsKeys(Outcome.Written.class, Outcome.Conflicted.class);
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
}
