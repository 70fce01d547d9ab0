package dev.handoff.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// Temporary store directory, deleted on close.
record BenchDirectory(Path directory) implements AutoCloseable {

  static BenchDirectory fresh() throws IOException {
    return new BenchDirectory(Files.createTempDirectory("handoff-bench"));
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
