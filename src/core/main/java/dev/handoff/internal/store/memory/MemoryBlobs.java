package dev.handoff.internal.store.memory;

import dev.handoff.internal.store.BlobTable;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.BlobUseSum;
import dev.handoff.internal.store.ReleasedUses;
import dev.handoff.internal.store.StoredBlob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

/// Contents in memory, with their uses.
final class MemoryBlobs {

  private record Kept(byte[] packed, long uses) {}

  private final Map<String, Kept> contents = new HashMap<>();
  private final Map<Long, byte[]> uses = new TreeMap<>();
  private final Map<String, List<Long>> byOwner = new HashMap<>();
  private final Queue<Long> gone = new ArrayDeque<>();
  private long last;

  List<Set<String>> keep(List<BlobUse> asked) {
    var sum = BlobUseSum.of(asked, contents::containsKey);
    sum.fresh(contents::containsKey)
        .forEach(blob -> contents.put(blob.sha256(), new Kept(blob.packed(), 0)));
    sum.uses()
        .forEach(
            (sha256, more) ->
                contents.computeIfPresent(
                    sha256, (same, kept) -> new Kept(kept.packed(), kept.uses() + more)));
    for (var use : sum.remembered()) {
      uses.put(++last, use.hashes());
      byOwner.computeIfAbsent(use.owner(), first -> new ArrayList<>()).add(last);
    }
    return sum.missing();
  }

  void forget(String owner) {
    gone.addAll(byOwner.getOrDefault(owner, List.of()));
    byOwner.remove(owner);
  }

  boolean isPending() {
    return !gone.isEmpty();
  }

  void giveBack() {
    var released = new ReleasedUses();
    var looked = new ArrayList<Long>();
    while (!released.isFull() && !gone.isEmpty()) {
      looked.add(gone.remove());
      released.add(looked.getLast(), uses.get(looked.getLast()));
    }
    var stored = new HashMap<String, BlobTable.Stored>();
    for (var sha256 : released.hashes()) {
      var kept = contents.get(sha256);
      stored.put(sha256, new BlobTable.Stored(kept.uses(), kept.packed().length));
    }
    var change = released.change(stored);
    change
        .uses()
        .forEach(
            (sha256, now) -> contents.put(sha256, new Kept(contents.get(sha256).packed(), now)));
    contents.keySet().removeAll(change.unused());
    change.givenBack().forEach(uses::remove);
    uses.putAll(change.left());
    looked.stream().filter(uses::containsKey).forEach(gone::add);
  }

  Map<String, StoredBlob> read(Collection<String> sha256s) {
    var found = new HashMap<String, StoredBlob>();
    for (var sha256 : sha256s) {
      var kept = contents.get(sha256);
      if (kept != null) {
        found.put(sha256, StoredBlob.of(sha256, kept.packed()));
      }
    }
    return found;
  }
}
