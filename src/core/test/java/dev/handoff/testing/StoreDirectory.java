package dev.handoff.testing;

import dev.handoff.StoreSettings;
import dev.handoff.internal.store.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/// Storage for one test, on which several engines can be started in sequence.
public final class StoreDirectory implements AutoCloseable {

  /// Kinds of stores, which all must behave alike.
  public enum Kind {
    MEMORY,
    FILE,
    POSTGRES
  }

  private final StoreSettings.Kind store;

  private StoreDirectory(StoreSettings.Kind store) {
    this.store = store;
  }

  public static StoreDirectory of(Kind kind) {
    return new StoreDirectory(
        switch (kind) {
          case MEMORY -> new StoreSettings.Memory();
          case FILE -> new StoreSettings.File(newDirectory());
          case POSTGRES ->
              new StoreSettings.Postgres(
                  PostgresServer.shared().newDatabase(), null, null, Duration.ofSeconds(5));
        });
  }

  public StoreSettings.Kind store() {
    return store;
  }

  public Path directory() {
    return ((StoreSettings.File) store).directory();
  }

  @Override
  public void close() {
    if (store instanceof StoreSettings.File(var directory)) {
      delete(directory.getParent());
    }
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory("handoff").resolve("data");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
