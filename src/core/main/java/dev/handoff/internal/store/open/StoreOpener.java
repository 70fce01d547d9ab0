package dev.handoff.internal.store.open;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.memory.MemoryStore;
import dev.handoff.internal.store.postgres.PostgresStore;
import dev.handoff.internal.store.sqlite.SqliteStore;
import java.sql.Connection;
import java.util.function.UnaryOperator;

/// Factory of stores.
public final class StoreOpener {

  private StoreOpener() {}

  /// Opens a store. A missing one is created, unless access is [StoreSettings.Access#READ]. Blocks
  /// as long as the database does.
  ///
  /// @throws StoreException.Held if another process or engine holds the store
  /// @throws StoreException.Unfit if the store is missing or does not match the settings
  /// @throws StoreException.Newer if a newer version made the store
  /// @throws StoreException.Unreadable if the store is damaged
  /// @throws StoreException.Unavailable if the database is unreachable
  public static Store open(StoreSettings settings) {
    return open(settings, UnaryOperator.identity());
  }

  /// @param wrap wrapper around every connection
  public static Store open(StoreSettings settings, UnaryOperator<Connection> wrap) {
    if (settings.partitions() < 0) {
      throw new StoreException.Unfit(
          "a store has 1 or more partitions, not " + settings.partitions());
    }
    return switch (settings.kind()) {
      case StoreSettings.File file -> SqliteStore.open(settings, file, wrap);
      case StoreSettings.Postgres postgres -> PostgresStore.open(settings, postgres, wrap);
      case StoreSettings.Memory memory -> MemoryStore.open(settings);
    };
  }
}
