package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.plan.ContentRef;
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

/// Directory before and after some edits.
///
/// @param before contents by path; empty if the directory does not exist
record EditSample(String name, Map<String, String> before, Map<String, String> after) {

  /// Name of the applies.
  static final String APPLY = "plan-1";

  static final List<EditSample> ALL =
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

  static EditSample of(String name) {
    return new EditSample(name, Map.of(), Map.of());
  }

  EditSample with(String path, @Nullable String is, @Nullable String willBe) {
    return new EditSample(name, and(before, path, is), and(after, path, willBe));
  }

  private static Map<String, String> and(
      Map<String, String> files, String path, @Nullable String content) {
    var all = new TreeMap<>(files);
    if (content != null) {
      all.put(path, content);
    }
    return all;
  }

  /// Creates the directory as before the edits.
  void make(Path root) {
    if (!before.isEmpty()) {
      DirectoryTrees.make(root, before);
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
            ChainHash.of(content.getBytes(StandardCharsets.UTF_8)),
            content.getBytes(StandardCharsets.UTF_8).length);
  }

  ContentReader contents() {
    return EditSample.holding(after.values());
  }

  static ContentReader holding(Collection<String> texts) {
    var all = new HashMap<String, byte[]>();
    for (var text : texts) {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      all.put(ChainHash.of(bytes), bytes);
    }
    return new ContentReader() {
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

  ApplyResult write(Path root, FileOperations disk) {
    return write(root, disk, new CancellationSource());
  }

  ApplyResult write(Path root, FileOperations disk, CancellationSource stop) {
    return EditableDirectory.at(root, disk).write(APPLY, edits(), contents(), stop.token());
  }

  @Override
  public String toString() {
    return name;
  }
}
