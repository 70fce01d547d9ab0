package dev.handoff.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A directory for a store, which goes when it is closed.
record Place(Path directory) implements AutoCloseable {

  static Place fresh() throws IOException {
    return new Place(Files.createTempDirectory("handoff-bench"));
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
