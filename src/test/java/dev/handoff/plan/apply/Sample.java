package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.Seal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A directory before and after some edits.
///
/// @param before contents by paths; empty if there is no directory
record Sample(String name, Map<String, String> before, Map<String, String> after) {

  /// The name of the applies.
  static final String APPLY = "plan-1";

  static final List<Sample> ALL =
      List.of(
          of("some of everything")
              .with("readme.md", "old", "new")
              .with("same.txt", "same", "same")
              .with("docs/index.html", "old index", "new index")
              .with("docs/same.html", "same", "same")
              .with("old/deep/last.txt", "last", null)
              .with("old/deep/er/last.txt", "last, too", null)
              .with("new/deep/first.txt", null, "first")
              .with("new/deep/second.txt", null, "second")
              .with("docs/more.html", null, "more"),
          of("files that become directories, and directories that become files")
              .with("same.txt", "same", "same")
              .with("part", "a file", null)
              .with("part/one.txt", null, "one")
              .with("module/only.txt", "only", null)
              .with("module", null, "a file now"),
          of("a new directory").with("a.txt", null, "a").with("b/c/d.txt", null, "d"),
          of("nothing but deletions")
              .with("same.txt", "same", "same")
              .with("a/b/one.txt", "one", null)
              .with("a/two.txt", "two", null));

  static Sample of(String name) {
    return new Sample(name, Map.of(), Map.of());
  }

  Sample with(String path, @Nullable String is, @Nullable String willBe) {
    return new Sample(name, and(before, path, is), and(after, path, willBe));
  }

  private static Map<String, String> and(
      Map<String, String> files, String path, @Nullable String content) {
    var all = new TreeMap<>(files);
    if (content != null) {
      all.put(path, content);
    }
    return all;
  }

  /// Makes the directory as it is before.
  void make(Path root) {
    if (!before.isEmpty()) {
      Trees.make(root, before);
    }
  }

  List<FileEdit> edits() {
    var paths = new TreeSet<>(before.keySet());
    paths.addAll(after.keySet());
    var edits = new ArrayList<FileEdit>();
    for (var path : paths) {
      var is = ref(before.get(path));
      var willBe = ref(after.get(path));
      if (!java.util.Objects.equals(is, willBe)) {
        edits.add(new FileEdit(path, is, willBe));
      }
    }
    return edits;
  }

  static @Nullable ContentRef ref(@Nullable String content) {
    return content == null
        ? null
        : new ContentRef(
            Seal.of(content.getBytes(StandardCharsets.UTF_8)),
            content.getBytes(StandardCharsets.UTF_8).length);
  }

  Contents contents() {
    return Sample.holding(after.values());
  }

  static Contents holding(Collection<String> texts) {
    var all = new HashMap<String, byte[]>();
    for (var text : texts) {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      all.put(Seal.of(bytes), bytes);
    }
    return new Contents() {
      @Override
      public Map<String, byte[]> read(Collection<String> sha256s) {
        var found = new HashMap<>(all);
        found.keySet().retainAll(sha256s);
        return found;
      }

      @Override
      public byte @Nullable [] asStored(String sha256) {
        return all.get(sha256);
      }
    };
  }

  Outcome write(Path root, Disk disk) {
    return write(root, disk, new CancellationSource());
  }

  Outcome write(Path root, Disk disk, CancellationSource stop) {
    return Directory.at(root, disk).write(APPLY, edits(), contents(), stop.token());
  }

  @Override
  public String toString() {
    return name;
  }
}
