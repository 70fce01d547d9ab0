package dev.handoff.internal.store.sqlite;

import dev.handoff.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Files of a store in its directory.
record SqliteFiles(Path directory) {

  Path database() {
    return directory.resolve("handoff.db");
  }

  /// Write-ahead log: committed pages not yet in the database file. A killed process leaves it
  /// behind.
  Path log() {
    return directory.resolve("handoff.db-wal");
  }

  /// Index of the write-ahead log.
  Path logIndex() {
    return directory.resolve("handoff.db-shm");
  }

  /// Database file under construction.
  Path fresh() {
    return directory.resolve("handoff.new");
  }

  Path lock() {
    return directory.resolve("handoff.lock");
  }

  /// Name of the lock's holder, as text.
  Path owner() {
    return directory.resolve("handoff.owner");
  }

  boolean exists() {
    return Files.isRegularFile(database());
  }

  /// Creates the directory and syncs its parent, so that it survives a machine crash.
  void makeDirectory() {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
        sync(directory.toAbsolutePath().getParent());
      }
    } catch (IOException refused) {
      throw new StoreException.Unfit(
          "no store can be made in %s: %s".formatted(directory, refused));
    }
  }

  /// Removes leftovers of an earlier attempt to create a database.
  void prepareNew() {
    if (Files.exists(log())) {
      throw new StoreException.Unreadable(
          "%s is missing, but %s is there: put it back".formatted(database(), log()), null);
    }
    try {
      for (String end : List.of("", "-wal", "-shm", "-journal")) {
        Files.deleteIfExists(directory.resolve("handoff.new" + end));
      }
    } catch (IOException refused) {
      throw new StoreException.Unavailable("no store can be made in " + directory, refused);
    }
  }

  void putNewInPlace() {
    try {
      Files.move(fresh(), database(), StandardCopyOption.ATOMIC_MOVE);
      sync(directory);
    } catch (IOException refused) {
      throw new StoreException.Unavailable("no store can be made in " + directory, refused);
    }
  }

  private static void sync(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException notHere) {
      // Some systems cannot open directories; they persist entries in another way, or not at
      // all.
    }
  }
}
