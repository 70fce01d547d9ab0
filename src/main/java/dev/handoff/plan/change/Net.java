package dev.handoff.plan.change;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// What a chain of changesets comes to.
///
/// For each file its entries are folded in the order of the chain. An entry that found what the
/// ones before it had left follows them; one that leaves the same adds nothing; any other one was
/// made beside them, and is merged: its ancestor is what it found, ours what there is by then,
/// theirs what it left. Whose lines touch are in conflict, and the file stays as it was before that
/// entry until somebody says how the conflict ends. So it is with a file where others have made a
/// directory.
///
/// @param changes by path; files that came out as they had been are left out
/// @param conflicts by path, at most one for each file: how it ends decides whether there are more
/// @param merged the contents of changes and conflicts that are in no store, by SHA-256
public record Net(List<NetChange> changes, List<Conflict> conflicts, Map<String, byte[]> merged) {

  public Net {
    changes = List.copyOf(changes);
    conflicts = List.copyOf(conflicts);
    merged = Map.copyOf(merged);
  }

  /// What the changesets come to. Blocks while contents to be merged are read.
  ///
  /// @param parts in the order of the chain
  /// @param resolutions how conflicts end; of several for the same one the last counts
  /// @throws UnreadableChanges if a content to be merged is missing or damaged
  /// @throws dev.handoff.store.StoreException if the store is away
  public static Net of(List<Part> parts, List<Resolution> resolutions, Contents contents) {
    var folds = folds(parts, resolutions);
    var open = advance(folds.values());
    while (!open.isEmpty()) {
      for (var slice : Slices.of(open, ToMerge::bytes)) {
        var wanted = new Wanted();
        slice.forEach(merge -> merge.ask(wanted));
        var read = wanted.read(contents);
        slice.forEach(merge -> merge.run(read));
      }
      open = advance(open.stream().map(ToMerge::fold).toList());
    }
    Clashes.settle(folds);
    return of(folds);
  }

  private static TreeMap<String, Fold> folds(List<Part> parts, List<Resolution> resolutions) {
    var said = new HashMap<String, List<Resolution>>();
    for (var resolution : resolutions) {
      said.computeIfAbsent(resolution.path(), none -> new ArrayList<>()).add(resolution);
    }
    var folds = new TreeMap<String, Fold>();
    int place = 0;
    for (var part : parts) {
      place++;
      for (var entry : part.entries()) {
        folds
            .computeIfAbsent(
                entry.path(), path -> new Fold(path, said.getOrDefault(path, List.of())))
            .add(new Fold.Step(entry, part.changeset(), part.label(), place));
      }
    }
    return folds;
  }

  private static List<ToMerge> advance(Iterable<Fold> folds) {
    var open = new ArrayList<ToMerge>();
    folds.forEach(fold -> fold.advance().ifPresent(open::add));
    return open;
  }

  private static Net of(TreeMap<String, Fold> folds) {
    var changes = new ArrayList<NetChange>();
    var conflicts = new ArrayList<Conflict>();
    var merged = new LinkedHashMap<String, byte[]>();
    for (var fold : folds.values()) {
      fold.change().ifPresent(changes::add);
      fold.conflict().ifPresent(conflicts::add);
      merged.putAll(fold.results());
    }
    return new Net(changes, conflicts, merged);
  }

  /// The contents of a store together with those that were merged.
  public Contents over(Contents stored) {
    return stored.with(merged);
  }

  public List<Difference> differences() {
    return changes.stream().map(NetChange::difference).toList();
  }

  /// What is left to be written where all of an earlier state of the same chain was written
  /// already: from what each file holds since to what it is to hold now. By path; files for which
  /// that is the same are left out.
  ///
  /// @param earlier what the beginning of this chain came to when it was written
  public List<Difference> since(Net earlier) {
    var left = new TreeMap<String, Difference>();
    for (var was : earlier.changes()) {
      left.put(was.path(), new Difference(was.path(), was.now(), was.base()));
    }
    for (var change : changes) {
      left.merge(
          change.path(),
          change.difference(),
          (written, whole) -> new Difference(whole.path(), written.before(), whole.after()));
    }
    return left.values().stream()
        .filter(file -> !Objects.equals(file.before(), file.after()))
        .toList();
  }
}
