package dev.handoff.internal.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StartException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The service for contexts")
class ContextServiceTest {

  @TempDir Path directory;

  @Test
  void namesItsArtifactWhenItCannotBeLoaded() throws IOException {
    var services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(ContextService.class.getName()), "dev.handoff.Missing\n");

    try (var loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      assertThatThrownBy(() -> ContextService.installedIn(loader))
          .isInstanceOf(StartException.class)
          .hasMessageContaining(ContextService.ARTIFACT + " cannot be loaded")
          .hasMessageContaining("dev.handoff.Missing");
    }
  }

  @Test
  void isMissingWhereNoLibraryHasIt() {
    assertThat(ContextService.installed()).isEmpty();
  }
}
