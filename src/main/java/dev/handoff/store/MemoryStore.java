package dev.handoff.store;

import java.util.Collections;
import java.util.List;

/// Opens a store that ends with the process.
final class MemoryStore {

  private MemoryStore() {}

  static Store open(StoreSettings settings) {
    if (settings.access() != StoreSettings.Access.OWN) {
      throw new StoreException.Unfit("a store in memory has nobody to share it with");
    }
    var info =
        new StoreInfo(
            "memory",
            "memory",
            Layout.fresh(settings.freshPartitions(), "memory"),
            true,
            settings.drops());
    var tables = new MemoryTables(info.partitions());
    Lane<MemoryTables> lane =
        Lane.start("memory", 1, Lane.Bench.single(() -> tables, MemoryStore::trouble, true));
    List<Lane<MemoryTables>> writers = Collections.nCopies(info.partitions(), lane);
    var lanes = new LanedStore.Lanes(writers, writers, writers, lane, lane);
    return new LanedStore(info, lanes, () -> {});
  }

  private static Trouble trouble(Throwable failure) {
    return new Trouble.Damage(String.valueOf(failure), failure);
  }
}
