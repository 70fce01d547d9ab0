package dev.handoff.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Uses that are given back together: no more than somebody can wait for who wants to write
/// meanwhile.
final class Slice {

  static final int MOST_USES = 2_000;

  /// Of one owner at a time.
  static final int MOST_ROWS = 64;

  /// A slice also ends after this many bytes of contents that go with it.
  private static final long MOST_BYTES = 32L << 20;

  /// What one keeping used, as far as it is looked at.
  private record Use(long number, List<String> taken, byte[] hashes) {}

  /// What becomes of a slice.
  ///
  /// @param uses how many are left, of what is still used
  /// @param unused what nobody uses any more
  /// @param givenBack numbers of uses that are given back as a whole
  /// @param left hashes of those that are given back in part, by number
  record Change(
      SortedMap<String, Long> uses,
      SortedSet<String> unused,
      List<Long> givenBack,
      Map<Long, byte[]> left) {}

  private final List<Use> uses = new ArrayList<>();
  private int taken;

  boolean isFull() {
    return taken >= MOST_USES;
  }

  /// Takes as much of a use as there is room for.
  void add(long number, byte[] hashes) {
    var first = Hashes.first(MOST_USES - taken, hashes);
    uses.add(new Use(number, first, hashes));
    taken += first.size();
  }

  SortedSet<String> hashes() {
    var hashes = new TreeSet<String>();
    uses.forEach(use -> hashes.addAll(use.taken()));
    return hashes;
  }

  /// @param stored what there is of the hashes
  Change change(Map<String, BlobTable.Stored> stored) {
    var change = new Change(new TreeMap<>(), new TreeSet<>(), new ArrayList<>(), new HashMap<>());
    long bytes = 0;
    for (var use : uses) {
      int given = 0;
      while (given < use.taken().size() && bytes < MOST_BYTES) {
        bytes += giveBack(use.taken().get(given), stored, change);
        given++;
      }
      if (use.hashes().length - given * Hashes.BYTES < Hashes.BYTES) {
        change.givenBack().add(use.number());
      } else if (given > 0) {
        change.left().put(use.number(), Hashes.without(given, use.hashes()));
      }
    }
    return change;
  }

  /// Answers how much room it makes.
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
