package dev.handoff.plan.capture;

import dev.handoff.plan.change.Seal;
import dev.handoff.store.Blob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// The files of a directory that is copied.
final class SourceFiles {

  private SourceFiles() {}

  /// Copies one, with its times and permissions.
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(
        from,
        to,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING,
        LinkOption.NOFOLLOW_LINKS);
    to.toFile().setWritable(true);
  }

  /// What a file holds, if it is what is wanted; null if it is something else since.
  static byte @Nullable [] content(Path file, String sha256) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) > Blob.MOST_BYTES) {
      return null;
    }
    return ifIntact(bytes(file), sha256);
  }

  static byte @Nullable [] ifIntact(byte[] bytes, String sha256) {
    return Seal.of(bytes).equals(sha256) ? bytes : null;
  }

  /// As much of a file as a change may hold, and a byte more.
  static byte[] bytes(Path file) throws IOException {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return in.readNBytes(Blob.MOST_BYTES + 1);
    }
  }
}
