package dev.handoff.internal.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Slice of content uses that are released together, small enough for the writers that wait behind
/// it.
public final class ReleasedUses {

  static final int MOST_USES = 2_000;

  /// Most rows per owner.
  static final int MOST_ROWS = 64;

  /// Size of deleted contents in bytes at which a slice ends.
  private static final long MOST_BYTES = 32L << 20;

  /// Use row, with its hashes in this slice.
  private record Use(long number, List<String> taken, byte[] hashes) {}

  /// Changes of a slice to the tables.
  ///
  /// @param uses remaining uses of contents still in use
  /// @param unused contents without any use
  /// @param givenBack numbers of completely released rows
  /// @param left remaining hashes of partly released rows, by number
  public record Change(
      SortedMap<String, Long> uses,
      SortedSet<String> unused,
      List<Long> givenBack,
      Map<Long, byte[]> left) {}

  private final List<Use> uses = new ArrayList<>();
  private int taken;

  public boolean isFull() {
    return taken >= MOST_USES;
  }

  /// Adds as many hashes of a use row as fit.
  public void add(long number, byte[] hashes) {
    var first = ContentHashes.first(MOST_USES - taken, hashes);
    uses.add(new Use(number, first, hashes));
    taken += first.size();
  }

  public SortedSet<String> hashes() {
    var hashes = new TreeSet<String>();
    uses.forEach(use -> hashes.addAll(use.taken()));
    return hashes;
  }

  /// @param stored stored contents among the hashes
  public Change change(Map<String, BlobTable.Stored> stored) {
    var change = new Change(new TreeMap<>(), new TreeSet<>(), new ArrayList<>(), new HashMap<>());
    long bytes = 0;
    for (var use : uses) {
      int given = 0;
      while (given < use.taken().size() && bytes < MOST_BYTES) {
        bytes += giveBack(use.taken().get(given), stored, change);
        given++;
      }
      if (use.hashes().length - given * ContentHashes.BYTES < ContentHashes.BYTES) {
        change.givenBack().add(use.number());
      } else if (given > 0) {
        change.left().put(use.number(), ContentHashes.without(given, use.hashes()));
      }
    }
    return change;
  }

  /// Releases one use. Returns the bytes that become free.
  private static long giveBack(String sha256, Map<String, BlobTable.Stored> stored, Change change) {
    var blob = stored.get(sha256);
    if (blob == null) {
      return 0;
    }
    long left = change.uses().getOrDefault(sha256, blob.uses()) - 1;
    if (left > 0) {
      change.uses().put(sha256, left);
      return 0;
    }
    change.uses().remove(sha256);
    change.unused().add(sha256);
    return blob.bytes();
  }
}
