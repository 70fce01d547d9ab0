package dev.handoff.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;

/// Golden files: stored forms of earlier versions, as hex.
///
/// @param directory directory below `src/core/test/resources/golden`
/// @param writer class whose `main` writes the missing files
public record GoldenFiles(String directory, Class<?> writer) {

  private static final int LINE = 96;
  private static final String HEX = ".hex";

  private Path path() {
    return Path.of("src", "core", "test", "resources", "golden", directory);
  }

  private Path file(String name) {
    return path().resolve(name + HEX);
  }

  public byte[] read(String name) {
    try {
      return HexFormat.of().parseHex(Files.readString(file(name)).replaceAll("\\s", ""));
    } catch (IOException e) {
      var run = "run ./sbt \"core/Test/runMain %s\" for what is new".formatted(writer.getName());
      throw new UncheckedIOException(run, e);
    }
  }

  /// Writes a golden file, unless it exists: an existing golden file is never overwritten.
  public void keep(String name, byte[] bytes) throws IOException {
    if (!Files.exists(file(name))) {
      Files.createDirectories(path());
      var hex = HexFormat.of().formatHex(bytes);
      Files.writeString(file(name), hex.replaceAll("(.{" + LINE + "})", "$1\n").strip() + "\n");
    }
  }

  /// Names of all golden files.
  public Set<String> names() {
    try (var files = Files.list(path())) {
      return files
          .map(file -> file.getFileName().toString().replace(HEX, ""))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
