package dev.handoff.internal.dispatch;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Slots of one limited queue per partition: granted and returned slots as totals, and wanted
/// slots. No slot is granted before each partition has reported its slots.
final class SlotTable {

  private final int partitions;
  private final TreeMap<Integer, Share> shares = new TreeMap<>();
  private int lastServed = -1;

  /// Receiver of slot grants.
  interface Grantee {
    /// @param granted total of granted slots
    void grant(int partition, long era, long granted);
  }

  /// Slots of one partition.
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

    /// Applies a partition's report. Grants in flight reduce its demand.
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

  /// Begins a new count for a partition.
  void begin(int partition, long era) {
    shares.put(partition, new Share(era));
  }

  /// Slot era of a partition.
  long era(int partition) {
    return shares.get(partition).era;
  }

  /// Whether a partition has reported its slots.
  boolean isCounted(int partition) {
    return shares.get(partition).counted;
  }

  /// Applies a partition's report, unless it is about an earlier era.
  void tell(Queues.SlotsHeld held) {
    var share = shares.get(held.partition());
    if (share != null && share.era == held.era()) {
      share.tell(held);
    }
  }

  /// Grants free slots, one to each partition in turn.
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

  /// Repeats unacknowledged grants.
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
