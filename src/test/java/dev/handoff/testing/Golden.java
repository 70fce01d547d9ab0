package dev.handoff.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;

/// Files that keep how something has once been written, as hex.
///
/// @param directory below `src/test/resources/golden`
/// @param writer the class whose `main` writes what is missing
public record Golden(String directory, Class<?> writer) {

  private static final int LINE = 96;
  private static final String HEX = ".hex";

  private Path path() {
    return Path.of("src", "test", "resources", "golden", directory);
  }

  private Path file(String name) {
    return path().resolve(name + HEX);
  }

  public byte[] read(String name) {
    try {
      return HexFormat.of().parseHex(Files.readString(file(name)).replaceAll("\\s", ""));
    } catch (IOException e) {
      var run = "run ./sbt \"Test/runMain %s\" for what is new".formatted(writer.getName());
      throw new UncheckedIOException(run, e);
    }
  }

  /// Writes it, unless there is such a file: that is never written again.
  public void keep(String name, byte[] bytes) throws IOException {
    if (!Files.exists(file(name))) {
      Files.createDirectories(path());
      var hex = HexFormat.of().formatHex(bytes);
      Files.writeString(file(name), hex.replaceAll("(.{" + LINE + "})", "$1\n").strip() + "\n");
    }
  }

  /// The names of all that there are.
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
