package dev.handoff.store;

import java.sql.Connection;
import java.util.function.UnaryOperator;

/// Opens stores.
public final class Stores {

  private Stores() {}

  /// Opens a store, and makes it if it is not there yet and access is not
  /// [StoreSettings.Access#READ]. Blocks for as long as the database lets it wait.
  ///
  /// @throws StoreException.Held if somebody else holds it
  /// @throws StoreException.Unfit if it is not there, or not what was asked for
  /// @throws StoreException.Newer if it was made by a newer version
  /// @throws StoreException.Unreadable if it is damaged
  /// @throws StoreException.Unavailable if the database cannot be reached
  public static Store open(StoreSettings settings) {
    return open(settings, UnaryOperator.identity());
  }

  /// @param wrap put around every connection
  static Store open(StoreSettings settings, UnaryOperator<Connection> wrap) {
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
