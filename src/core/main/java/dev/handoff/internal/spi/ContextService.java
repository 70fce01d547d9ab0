package dev.handoff.internal.spi;

import com.typesafe.config.Config;
import dev.handoff.StartException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/// Context assembly, as the artifact [#ARTIFACT] brings it.
public interface ContextService {

  /// Artifact that a program adds for context assembly.
  String ARTIFACT = "dev.handoff:handoff-context";

  /// Service on the class path; empty if the artifact is not there.
  ///
  /// @throws StartException if the artifact is there, but cannot be loaded
  static Optional<ContextService> installed() {
    return installedIn(ContextService.class.getClassLoader());
  }

  /// Service that a class loader finds.
  ///
  /// @throws StartException if the service cannot be loaded
  static Optional<ContextService> installedIn(ClassLoader loader) {
    try {
      return ServiceLoader.load(ContextService.class, loader).findFirst();
    } catch (ServiceConfigurationError broken) {
      throw new StartException(
          "%s cannot be loaded: %s; use the version of the engine, or remove it"
              .formatted(ARTIFACT, broken.getMessage()));
    }
  }

  /// Directory of the indexes that belong to a file store.
  static Path indexes(Path store) {
    return store.resolve("context");
  }

  /// Names of the built-in strategies.
  Set<String> strategies();

  /// Reads and validates the settings.
  ///
  /// @param handoff configuration section `handoff`
  /// @param beside directory of the file store; empty = no file store
  /// @throws IllegalArgumentException naming the invalid key
  ContextAssembly read(Config handoff, ContextChoices choices, Optional<Path> beside);
}
