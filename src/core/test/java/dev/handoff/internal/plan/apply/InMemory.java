package dev.handoff.internal.plan.apply;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/// Creates temporary directories in memory where possible, so that syncs cost nothing.
final class InMemory implements TempDirFactory {

  private static final Path MEMORY = Path.of("/dev/shm");

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws Exception {
    return Files.isDirectory(MEMORY) && Files.isWritable(MEMORY)
        ? Files.createTempDirectory(MEMORY, "handoff-test")
        : Files.createTempDirectory("handoff-test");
  }
}
