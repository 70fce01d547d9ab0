package dev.handoff.internal.plan.change;

import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.Resolution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Combined changes of a chain of changesets.
///
/// Entries of each file are folded in chain order. An entry based on the current content replaces
/// it. An entry with an equal result changes nothing. Any other entry was made concurrently and is
/// merged three ways: its base is the ancestor, the current content is ours, its result is theirs.
/// If their lines overlap or touch, the file is in conflict, and ignores the entry until a
/// resolution. A file in place of a directory is a conflict too.
///
/// @param changes changed files by path; unchanged results are left out
/// @param conflicts conflicts by path, at most one per file: its resolution decides about further
///   ones
/// @param merged contents of changes and conflicts that are not stored, by SHA-256
public record CombinedChanges(
    List<CombinedChange> changes, List<PlanConflict.Entry> conflicts, Map<String, byte[]> merged) {

  public CombinedChanges {
    changes = List.copyOf(changes);
    conflicts = List.copyOf(conflicts);
    merged = Map.copyOf(merged);
  }

  /// Combines changesets. Blocks to read contents for merges.
  ///
  /// @param parts changesets in chain order
  /// @param resolutions resolutions of conflicts; the last one per conflict counts
  /// @throws UnreadableChanges if a content to merge is missing or damaged
  /// @throws dev.handoff.StoreException if the store is unavailable
  public static CombinedChanges of(
      List<LoadedChangeset> parts, List<Resolution> resolutions, ContentReader contents) {
    var folds = folds(parts, resolutions);
    var open = advance(folds.values());
    while (!open.isEmpty()) {
      for (var slice : MemorySlices.of(open, PendingMerge::bytes)) {
        var wanted = new ContentRequest();
        slice.forEach(merge -> merge.ask(wanted));
        var read = wanted.read(contents);
        slice.forEach(merge -> merge.run(read));
      }
      open = advance(open.stream().map(PendingMerge::fold).toList());
    }
    FileDirectoryClashes.settle(folds);
    return of(folds);
  }

  private static TreeMap<String, FileFold> folds(
      List<LoadedChangeset> parts, List<Resolution> resolutions) {
    var said = new HashMap<String, List<Resolution>>();
    for (var resolution : resolutions) {
      said.computeIfAbsent(resolution.path(), none -> new ArrayList<>()).add(resolution);
    }
    var folds = new TreeMap<String, FileFold>();
    int place = 0;
    for (var part : parts) {
      place++;
      for (var entry : part.entries()) {
        folds
            .computeIfAbsent(
                entry.path(), path -> new FileFold(path, said.getOrDefault(path, List.of())))
            .add(new FileFold.Step(entry, part.changeset(), part.label(), place));
      }
    }
    return folds;
  }

  private static List<PendingMerge> advance(Iterable<FileFold> folds) {
    var open = new ArrayList<PendingMerge>();
    folds.forEach(fold -> fold.advance().ifPresent(open::add));
    return open;
  }

  private static CombinedChanges of(TreeMap<String, FileFold> folds) {
    var changes = new ArrayList<CombinedChange>();
    var conflicts = new ArrayList<PlanConflict.Entry>();
    var merged = new LinkedHashMap<String, byte[]>();
    for (var fold : folds.values()) {
      fold.change().ifPresent(changes::add);
      fold.conflict().ifPresent(conflicts::add);
      merged.putAll(fold.results());
    }
    return new CombinedChanges(changes, conflicts, merged);
  }

  /// Stored contents together with merge results.
  public ContentReader over(ContentReader stored) {
    return stored.with(merged);
  }

  public List<FileEdit> differences() {
    return changes.stream().map(CombinedChange::edit).toList();
  }

  /// Pending differences after an earlier state of the same chain was written: from each file's
  /// written content to its new content, sorted by path. Unchanged files are left out.
  ///
  /// @param earlier combined changes when the beginning of the chain was written
  public List<FileEdit> since(CombinedChanges earlier) {
    var left = new TreeMap<String, FileEdit>();
    for (var was : earlier.changes()) {
      left.put(was.path(), new FileEdit(was.path(), was.now(), was.base()));
    }
    for (var change : changes) {
      left.merge(
          change.path(),
          change.edit(),
          (written, whole) -> new FileEdit(whole.path(), written.before(), whole.after()));
    }
    return left.values().stream()
        .filter(file -> !Objects.equals(file.before(), file.after()))
        .toList();
  }
}
