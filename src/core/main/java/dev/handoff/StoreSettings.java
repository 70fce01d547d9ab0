package dev.handoff;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Settings to open a store.
///
/// @param partitions number of partitions for a new store; an existing one must have as many. 0 =
///   accept the existing number, or [Kind#usualPartitions] for a new store
/// @param access requested access
/// @param owner name of the opener, shown to later openers: `pid 4711 on host, since …`
/// @param drops whether the opener may leave ended jobs without a history row. The store records it
///   before the first job is dropped
public record StoreSettings(Kind kind, int partitions, Access access, String owner, boolean drops) {

  public StoreSettings(Kind kind, int partitions, Access access, String owner) {
    this(kind, partitions, access, owner, false);
  }

  public sealed interface Kind {
    /// Default number of partitions.
    int usualPartitions();
  }

  /// SQLite in a directory of its own.
  public record File(Path directory) implements Kind {
    /// Few partitions: one writer serves all of them, and more jobs then share a write.
    @Override
    public int usualPartitions() {
      return 2;
    }
  }

  /// PostgreSQL over JDBC.
  ///
  /// @param url `jdbc:postgresql://…`
  /// @param connectTimeout time-out of a connect. Writes time out after the URL's `socketTimeout`,
  ///   by default 10 s; reads after 30 s
  public record Postgres(
      String url, @Nullable String user, @Nullable String password, Duration connectTimeout)
      implements Kind {

    /// Enough partitions for eight nodes with two each: nodes share them, and their number is
    /// fixed.
    @Override
    public int usualPartitions() {
      return 16;
    }

    /// Text without secrets, so without the URL's parameters.
    @Override
    public String toString() {
      return "Postgres[" + url.split("\\?", 2)[0] + "]";
    }
  }

  /// Store in memory, lost with the process. For tests.
  public record Memory() implements Kind {
    @Override
    public int usualPartitions() {
      return 2;
    }
  }

  public enum Access {
    /// Exclusive read and write access.
    OWN,
    /// Read and write access, shared with the other engines of one cluster, which divide the
    /// partitions among them. Excludes [#OWN]. PostgreSQL only.
    SHARE,
    /// Read-only access without any change or takeover. Refused while an owner holds the store. An
    /// owner is refused while a reader has it open, so the content does not change.
    READ
  }
}
