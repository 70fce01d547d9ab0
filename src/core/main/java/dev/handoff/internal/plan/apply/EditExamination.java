package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.plan.ContentRef;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Comparison of edits with a directory. Also finds directories to make and directories that become
/// empty.
final class EditExamination {

  /// Largest file to hash only for the conflict message, in bytes.
  private static final long READ_AT_MOST = 16L << 20;

  private static final Comparator<String> DEEPEST_FIRST =
      Comparator.comparing((String path) -> -path.chars().filter(c -> c == '/').count())
          .thenComparing(Comparator.naturalOrder());

  private final DirectoryTree tree;
  private final FileEdits edits;
  private final CaseRule cases = new CaseRule();
  private final List<FileConflict> conflicts = new ArrayList<>();
  private final Set<String> deleted = new HashSet<>();

  /// Parent directories of the files to write, and these files.
  private final Set<String> kept;

  private final Set<String> files = new HashSet<>();
  private final TreeSet<String> emptied = new TreeSet<>(DEEPEST_FIRST);
  private final TreeSet<String> made = new TreeSet<>(DEEPEST_FIRST);

  /// Directories that exist.
  private final Set<String> there = new HashSet<>();

  private EditExamination(DirectoryTree tree, FileEdits edits) {
    this.tree = tree;
    this.edits = edits;
    this.kept = edits.kept();
  }

  /// @param conflicts all conflicts
  /// @param made directories to make, parents first
  /// @param emptied directories that become empty, children first
  record Examined(List<FileConflict> conflicts, List<String> made, List<String> emptied) {

    DryRunResult verdict(FileEdits edits) {
      boolean done = conflicts.stream().allMatch(conflict -> conflict.found() == Obstacle.ALREADY);
      if (done && conflicts.size() == edits.toWrite().size()) {
        return new DryRunResult.Already();
      }
      return conflicts.isEmpty() ? new DryRunResult.Fits() : new DryRunResult.Conflicted(conflicts);
    }
  }

  /// Result for a missing target directory.
  static Examined ofNothing(FileEdits edits) {
    var conflicts =
        edits.all().stream()
            .filter(edit -> edit.before() != null)
            .map(
                edit ->
                    new FileConflict(
                        edit, edit.after() == null ? Obstacle.ALREADY : Obstacle.MISSING));
    return new Examined(conflicts.toList(), edits.kept().stream().sorted().toList(), List.of());
  }

  /// @throws dev.handoff.cancel.CancelledException if `stop` is cancelled
  static Examined of(DirectoryTree tree, FileEdits edits, CancellationToken stop)
      throws IOException {
    var examination = new EditExamination(tree, edits);
    examination.findEmptied();
    for (var edit : edits.all()) {
      stop.throwIfCancelled();
      examination.look(edit);
    }
    return new Examined(
        List.copyOf(examination.conflicts),
        List.copyOf(examination.made.descendingSet()),
        List.copyOf(examination.emptied));
  }

  /// Finds directories that become empty, bottom-up: their subdirectories may become empty too.
  private void findEmptied() throws IOException {
    var gone = new TreeMap<String, Set<String>>(DEEPEST_FIRST);
    for (var edit : edits.all()) {
      if (edit.after() == null) {
        deleted.add(edit.path());
        add(gone, edit.path());
      } else {
        files.add(edit.path());
      }
    }
    while (!gone.isEmpty()) {
      var next = gone.pollFirstEntry();
      var directory = next.getKey();
      if (!directory.isEmpty()
          && !kept.contains(directory)
          && hasOnly(directory, next.getValue())) {
        emptied.add(directory);
        add(gone, directory);
      }
    }
  }

  private static void add(TreeMap<String, Set<String>> gone, String path) {
    var entry = FilePath.of(path);
    gone.computeIfAbsent(entry.directory(), none -> new HashSet<>()).add(entry.name());
  }

  private boolean hasOnly(String directory, Set<String> names) throws IOException {
    try {
      return tree.in(List.of(directory.split("/")), at -> at.hasOnly(names));
    } catch (BlockedException | AccessDeniedException notForUs) {
      return false;
    }
  }

  private void look(FileEdit edit) throws IOException {
    var path = FilePath.of(edit.path());
    try {
      if (edit.before() != null) {
        tree.in(path.directories(), at -> compare(edit, at, path));
      } else if (!leadsToNew(path)) {
        tree.in(path.directories(), at -> compare(edit, at, path));
      }
    } catch (BlockedException blocked) {
      boolean isGone =
          blocked.found() == Obstacle.MISSING
              || (blocked.found() == Obstacle.FILE && files.contains(blocked.directory()));
      add(edit, isGone && edit.after() == null ? Obstacle.ALREADY : blocked.forFile(), null);
    } catch (AccessDeniedException unreadable) {
      add(edit, Obstacle.UNREADABLE, null);
    }
  }

  /// Returns whether a file's parent directory is still missing.
  private boolean leadsToNew(FilePath path) throws IOException {
    boolean missing = false;
    for (var directory : path.above()) {
      missing =
          missing
              || made.contains(directory)
              || (!there.contains(directory) && isMissing(directory));
      (missing ? made : there).add(directory);
    }
    return missing;
  }

  private boolean isMissing(String directory) throws IOException {
    var path = FilePath.of(directory);
    return tree.in(
        path.directories(),
        at -> {
          var stat = at.look(path.name());
          if (stat == null || (stat.isFile() && deleted.contains(directory))) {
            return true;
          }
          if (!stat.isDirectory()) {
            throw new BlockedException(directory, stat.kind());
          }
          if (cases.isSpelledOtherwise(path.directory(), at, path.name())) {
            throw new BlockedException(directory, Obstacle.OTHER_CASE);
          }
          return false;
        });
  }

  private boolean compare(FileEdit edit, FileOperations.Dir at, FilePath path) throws IOException {
    var stat = at.look(path.name());
    if (stat == null) {
      return edit.before() == null
          || add(edit, edit.after() == null ? Obstacle.ALREADY : Obstacle.MISSING, null);
    }
    if (cases.isSpelledOtherwise(path.directory(), at, path.name())) {
      return add(edit, Obstacle.OTHER_CASE, null);
    }
    if (!stat.isFile()) {
      return makesRoom(edit)
          || add(edit, isReplaced(edit, stat) ? Obstacle.ALREADY : stat.kind(), null);
    }
    var actual = actual(edit, at, path.name(), stat.size());
    if (actual != null && actual.equals(edit.before())) {
      return true;
    }
    return add(
        edit,
        actual != null && actual.equals(edit.after()) ? Obstacle.ALREADY : Obstacle.FILE,
        actual);
  }

  /// Returns whether a new file takes the place of a directory that becomes empty.
  private boolean makesRoom(FileEdit edit) {
    return edit.before() == null && emptied.contains(edit.path());
  }

  /// Returns whether the new directory already stands in place of the deleted file.
  private boolean isReplaced(FileEdit edit, FileStat stat) {
    return edit.after() == null && stat.isDirectory() && kept.contains(edit.path());
  }

  private static @Nullable ContentRef actual(
      FileEdit edit, FileOperations.Dir at, String name, long size) throws IOException {
    boolean mayFit =
        (edit.before() != null && edit.before().bytes() == size)
            || (edit.after() != null && edit.after().bytes() == size);
    return mayFit || size <= READ_AT_MOST ? Fingerprint.of(at, name) : null;
  }

  private boolean add(FileEdit edit, Obstacle found, @Nullable ContentRef actual) {
    return conflicts.add(new FileConflict(edit.path(), edit.before(), found, actual));
  }
}
