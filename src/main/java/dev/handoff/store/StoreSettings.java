package dev.handoff.store;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Which store to open, and how.
///
/// @param partitions how many partitions a new store gets; an existing one must have as many. 0
///   takes what it has, and [Kind#usualPartitions] for a new one
/// @param access what the opener wants to do
/// @param owner who opens it, named to whoever comes second: `pid 4711 on host, since …`
/// @param drops whether the opener may leave ended jobs without a row. The store remembers it,
///   before the first of them is gone
public record StoreSettings(Kind kind, int partitions, Access access, String owner, boolean drops) {

  public StoreSettings(Kind kind, int partitions, Access access, String owner) {
    this(kind, partitions, access, owner, false);
  }

  /// How many partitions the store gets if it is new.
  int freshPartitions() {
    return partitions == 0 ? kind.usualPartitions() : partitions;
  }

  public sealed interface Kind {
    /// How many partitions a new store gets if nobody says.
    int usualPartitions();
  }

  /// SQLite in a directory of its own.
  public record File(Path directory) implements Kind {
    /// One writer serves all of them: the fewer, the more jobs share a write.
    @Override
    public int usualPartitions() {
      return 2;
    }
  }

  /// PostgreSQL, over JDBC.
  ///
  /// @param url `jdbc:postgresql://…`
  /// @param connectTimeout how long to wait for a connection. How long a write may take is
  ///   `socketTimeout` in the URL, 10 s without it; reads have 30 s
  public record Postgres(
      String url, @Nullable String user, @Nullable String password, Duration connectTimeout)
      implements Kind {

    /// Several nodes share them, and their number is fixed: enough for eight nodes with two each.
    @Override
    public int usualPartitions() {
      return 16;
    }

    /// Without secrets, which the parameters of the URL may be too.
    @Override
    public String toString() {
      return "Postgres[" + url.split("\\?", 2)[0] + "]";
    }
  }

  /// Nothing outlives the process. For tests.
  public record Memory() implements Kind {
    @Override
    public int usualPartitions() {
      return 2;
    }
  }

  public enum Access {
    /// Exclusive, reads and writes.
    OWN,
    /// Reads and writes beside the other engines of one cluster, which share the partitions among
    /// them. Excludes [#OWN]. PostgreSQL only.
    SHARE,
    /// Reads only: writes nothing, makes nothing, takes nothing over. Refused while an owner holds
    /// the store, and an owner is refused while somebody reads, so that what is read stands still.
    READ
  }
}
