package dev.handoff.dispatch;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The slots of one limited queue: how many each partition has been granted and has given back, in
/// all, and how many more it could use. Nothing is granted before each has said what it holds.
final class SlotTable {

  private final int partitions;
  private final TreeMap<Integer, Share> shares = new TreeMap<>();
  private int lastServed = -1;

  /// Whom slots are granted to.
  interface Grantee {
    /// @param granted how many in all
    void grant(int partition, long era, long granted);
  }

  /// What one partition has.
  private static final class Share {
    final long era;
    boolean counted;
    long granted;
    long heard;
    long returned;
    long wanted;

    Share(long era) {
      this.era = era;
    }

    /// What the partition says. What is on its way to it is not wanted any more.
    void tell(Queues.SlotsHeld held) {
      granted = counted ? granted : held.granted();
      counted = true;
      heard = Math.max(heard, held.granted());
      returned = Math.max(returned, held.returned());
      wanted = held.wanted() - (granted - held.granted());
    }
  }

  SlotTable(int partitions) {
    this.partitions = partitions;
  }

  /// Begins to count what a partition holds.
  void begin(int partition, long era) {
    shares.put(partition, new Share(era));
  }

  /// The era in which a partition's slots are counted.
  long era(int partition) {
    return shares.get(partition).era;
  }

  /// Whether a partition has said what it holds.
  boolean isCounted(int partition) {
    return shares.get(partition).counted;
  }

  /// What a partition says; unless it is about a former era.
  void tell(Queues.SlotsHeld held) {
    var share = shares.get(held.partition());
    if (share != null && share.era == held.era()) {
      share.tell(held);
    }
  }

  /// Hands out what is free, one slot to each partition in turn.
  void grant(int limit, Grantee grantee) {
    var granted = new TreeSet<Integer>();
    for (long free = limit - held(); free > 0 && isComplete(); free--) {
      var next = nextWanting();
      if (next == null) {
        break;
      }
      lastServed = next;
      var share = shares.get(next);
      share.wanted--;
      share.granted++;
      granted.add(next);
    }
    granted.forEach(partition -> tell(partition, grantee));
  }

  /// Says to those again who have not heard of it what they were granted.
  void repeat(Grantee grantee) {
    shares.forEach(
        (partition, share) -> {
          if (share.heard < share.granted) {
            tell(partition, grantee);
          }
        });
  }

  private void tell(int partition, Grantee grantee) {
    var share = shares.get(partition);
    grantee.grant(partition, share.era, share.granted);
  }

  private boolean isComplete() {
    return shares.size() == partitions && shares.values().stream().allMatch(share -> share.counted);
  }

  private long held() {
    return shares.values().stream().mapToLong(share -> share.granted - share.returned).sum();
  }

  private @Nullable Integer nextWanting() {
    var after = firstWanting(shares.tailMap(lastServed, false));
    return after != null ? after : firstWanting(shares.headMap(lastServed, true));
  }

  private static @Nullable Integer firstWanting(Map<Integer, Share> some) {
    for (var entry : some.entrySet()) {
      if (entry.getValue().wanted > 0) {
        return entry.getKey();
      }
    }
    return null;
  }
}
