package dev.handoff.dispatch;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;

/// The places of one limited queue: how many each partition holds, and how many more it could use.
final class SlotTable {

  private final TreeMap<Integer, Integer> held = new TreeMap<>();
  private final TreeMap<Integer, Integer> wanted = new TreeMap<>();
  private int lastServed = -1;

  /// What a partition says it holds, when nothing is on its way to it.
  void report(int partition, int count) {
    held.put(partition, count);
    wanted.remove(partition);
  }

  void want(int partition, int count) {
    wanted.put(partition, count);
  }

  void back(int partition, int count) {
    held.merge(partition, -count, (now, less) -> Math.max(0, now + less));
  }

  int held() {
    return held.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// Hands out what is free, one place to each partition in turn.
  void grant(int limit, ObjIntConsumer<Integer> give) {
    var grants = new HashMap<Integer, Integer>();
    for (int free = limit - held(); free > 0; free--) {
      var next = nextWanting();
      if (next < 0) {
        break;
      }
      lastServed = next;
      wanted.merge(next, -1, Integer::sum);
      held.merge(next, 1, Integer::sum);
      grants.merge(next, 1, Integer::sum);
    }
    grants.forEach(give::accept);
  }

  private int nextWanting() {
    for (Map.Entry<Integer, Integer> entry : wanted.tailMap(lastServed, false).entrySet()) {
      if (entry.getValue() > 0) {
        return entry.getKey();
      }
    }
    for (Map.Entry<Integer, Integer> entry : wanted.headMap(lastServed, true).entrySet()) {
      if (entry.getValue() > 0) {
        return entry.getKey();
      }
    }
    return -1;
  }
}
