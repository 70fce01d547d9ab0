package dev.handoff.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of a store in a directory of its own.
record SqliteFiles(Path directory) {

  Path database() {
    return directory.resolve("handoff.db");
  }

  /// What was committed and not yet folded into the database. Left behind by a process that was
  /// killed.
  Path log() {
    return directory.resolve("handoff.db-wal");
  }

  /// SQLite's index of the log.
  Path logIndex() {
    return directory.resolve("handoff.db-shm");
  }

  /// The database until it is complete.
  Path fresh() {
    return directory.resolve("handoff.new");
  }

  Path lock() {
    return directory.resolve("handoff.lock");
  }

  /// Who holds the lock, for people to read.
  Path owner() {
    return directory.resolve("handoff.owner");
  }

  boolean exists() {
    return Files.isRegularFile(database());
  }

  /// Makes the directory, and sees to it that a crash of the machine does not take it away again.
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

  /// Sees to it that a new database begins with nothing.
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
      // Some systems open no directories. Theirs are durable in another way, or not at all.
    }
  }
}
