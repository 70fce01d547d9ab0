package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.StoreWrites;
import java.sql.Connection;

/// Access of tests of all stores to the parts of PostgreSQL's.
public final class PostgresInternals {

  private PostgresInternals() {}

  public static SqlDialect dialect() {
    return new PostgresDialect();
  }

  /// Session in addition to those of the store.
  public static StoreWrites writes(Connection connection) {
    return new PostgresWrites(connection, new PostgresDialect(), null);
  }
}
