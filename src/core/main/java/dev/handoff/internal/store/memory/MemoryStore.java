package dev.handoff.internal.store.memory;

import dev.handoff.StoreException;
import dev.handoff.StoreInfo;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.DatabaseFailure;
import dev.handoff.internal.store.QueuedStore;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreExecutor;
import dev.handoff.internal.store.StoreLayout;
import java.util.Collections;
import java.util.List;

/// Opener of a store that lives as long as the process.
public final class MemoryStore {

  private MemoryStore() {}

  public static Store open(StoreSettings settings) {
    if (settings.access() != StoreSettings.Access.OWN) {
      throw new StoreException.Unfit("a store in memory has nobody to share it with");
    }
    var info =
        new StoreInfo(
            "memory", "memory", StoreLayout.fresh(settings, "memory"), true, settings.drops());
    var tables = new MemoryTables(info.partitions());
    StoreExecutor<MemoryTables> executor =
        StoreExecutor.start(
            "memory", 1, StoreExecutor.Bench.single(() -> tables, MemoryStore::trouble, true));
    List<StoreExecutor<MemoryTables>> writers = Collections.nCopies(info.partitions(), executor);
    var executors = new QueuedStore.Executors(writers, writers, writers, executor, executor);
    return new QueuedStore(info, executors, () -> {});
  }

  private static DatabaseFailure trouble(Throwable failure) {
    return new DatabaseFailure.Damage(String.valueOf(failure), failure);
  }
}
