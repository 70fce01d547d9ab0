package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.plan.change.ContentRef;
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

/// Compares edits with what is there, and finds out which directories they make and leave empty.
final class Examination {

  /// What is larger and not what is expected is not read to say what it is.
  private static final long READ_AT_MOST = 16L << 20;

  private static final Comparator<String> DEEPEST_FIRST =
      Comparator.comparing((String path) -> -path.chars().filter(c -> c == '/').count())
          .thenComparing(Comparator.naturalOrder());

  private final Tree tree;
  private final Edits edits;
  private final CaseRule cases = new CaseRule();
  private final List<FileConflict> conflicts = new ArrayList<>();
  private final Set<String> deleted = new HashSet<>();

  /// The directories that there will be a file in, and the files.
  private final Set<String> kept;

  private final Set<String> files = new HashSet<>();
  private final TreeSet<String> emptied = new TreeSet<>(DEEPEST_FIRST);
  private final TreeSet<String> made = new TreeSet<>(DEEPEST_FIRST);

  /// Directories that are known to be there.
  private final Set<String> there = new HashSet<>();

  private Examination(Tree tree, Edits edits) {
    this.tree = tree;
    this.edits = edits;
    this.kept = edits.kept();
  }

  /// @param conflicts all there are
  /// @param made the directories to be made, those above others first
  /// @param emptied the directories that will have lost their last entry, those below others first
  record Examined(List<FileConflict> conflicts, List<String> made, List<String> emptied) {

    Checked verdict(Edits edits) {
      boolean done = conflicts.stream().allMatch(conflict -> conflict.found() == Found.ALREADY);
      if (done && conflicts.size() == edits.toWrite().size()) {
        return new Checked.Already();
      }
      return conflicts.isEmpty() ? new Checked.Fits() : new Checked.Conflicted(conflicts);
    }
  }

  /// For a directory that is not there.
  static Examined ofNothing(Edits edits) {
    var conflicts =
        edits.all().stream()
            .filter(edit -> edit.before() != null)
            .map(
                edit ->
                    new FileConflict(edit, edit.after() == null ? Found.ALREADY : Found.MISSING));
    return new Examined(conflicts.toList(), edits.kept().stream().sorted().toList(), List.of());
  }

  /// @throws dev.handoff.cancel.CancelledException if it is to stop
  static Examined of(Tree tree, Edits edits, CancellationToken stop) throws IOException {
    var examination = new Examination(tree, edits);
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

  /// From the bottom up: a directory may be emptied by the loss of those within it.
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
          blocked.found() == Found.MISSING
              || (blocked.found() == Found.FILE && files.contains(blocked.directory()));
      add(edit, isGone && edit.after() == null ? Found.ALREADY : blocked.forFile(), null);
    } catch (AccessDeniedException unreadable) {
      add(edit, Found.UNREADABLE, null);
    }
  }

  /// Whether the last of the directories above a file is yet to be made.
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
          var seen = at.look(path.name());
          if (seen == null || (seen.isFile() && deleted.contains(directory))) {
            return true;
          }
          if (!seen.isDirectory()) {
            throw new BlockedException(directory, seen.kind());
          }
          if (cases.isSpelledOtherwise(path.directory(), at, path.name())) {
            throw new BlockedException(directory, Found.OTHER_CASE);
          }
          return false;
        });
  }

  private boolean compare(FileEdit edit, Disk.Dir at, FilePath path) throws IOException {
    var seen = at.look(path.name());
    if (seen == null) {
      return edit.before() == null
          || add(edit, edit.after() == null ? Found.ALREADY : Found.MISSING, null);
    }
    if (cases.isSpelledOtherwise(path.directory(), at, path.name())) {
      return add(edit, Found.OTHER_CASE, null);
    }
    if (!seen.isFile()) {
      return makesRoom(edit)
          || add(edit, isReplaced(edit, seen) ? Found.ALREADY : seen.kind(), null);
    }
    var actual = actual(edit, at, path.name(), seen.size());
    if (actual != null && actual.equals(edit.before())) {
      return true;
    }
    return add(
        edit, actual != null && actual.equals(edit.after()) ? Found.ALREADY : Found.FILE, actual);
  }

  /// Whether it takes the place of a directory that becomes empty.
  private boolean makesRoom(FileEdit edit) {
    return edit.before() == null && emptied.contains(edit.path());
  }

  /// Whether there is already the directory that takes its place.
  private boolean isReplaced(FileEdit edit, Seen seen) {
    return edit.after() == null && seen.isDirectory() && kept.contains(edit.path());
  }

  private static @Nullable ContentRef actual(FileEdit edit, Disk.Dir at, String name, long size)
      throws IOException {
    boolean mayFit =
        (edit.before() != null && edit.before().bytes() == size)
            || (edit.after() != null && edit.after().bytes() == size);
    return mayFit || size <= READ_AT_MOST ? Fingerprint.of(at, name) : null;
  }

  private boolean add(FileEdit edit, Found found, @Nullable ContentRef actual) {
    return conflicts.add(new FileConflict(edit.path(), edit.before(), found, actual));
  }
}
