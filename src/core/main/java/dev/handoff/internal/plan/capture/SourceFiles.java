package dev.handoff.internal.plan.capture;

import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.store.PackedBlob;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// File operations of a working copy.
final class SourceFiles {

  private SourceFiles() {}

  /// Copies a file with times and permissions. A file deleted meanwhile is skipped.
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try {
      Files.copy(
          from,
          to,
          StandardCopyOption.COPY_ATTRIBUTES,
          StandardCopyOption.REPLACE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);
      to.toFile().setWritable(true);
    } catch (NoSuchFileException gone) {
      if (Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
        throw gone;
      }
    }
  }

  /// Deletes a file and the parent directories that become empty, as git does: another file may
  /// need their place.
  ///
  /// @param top directory that is never deleted
  static void delete(Path file, Path top) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.delete(file);
    try {
      for (var above = file.getParent(); !above.equals(top); above = above.getParent()) {
        Files.delete(above);
      }
    } catch (DirectoryNotEmptyException inUse) {
      // Its parents are in use too.
    }
  }

  /// Content of a file; null if its hash differs.
  static byte @Nullable [] content(Path file, String sha256) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) > PackedBlob.MOST_BYTES) {
      return null;
    }
    return ifIntact(bytes(file), sha256);
  }

  static byte @Nullable [] ifIntact(byte[] bytes, String sha256) {
    return ChainHash.of(bytes).equals(sha256) ? bytes : null;
  }

  /// Reads a file up to the size limit of a change, plus one byte to detect larger files.
  static byte[] bytes(Path file) throws IOException {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return in.readNBytes(PackedBlob.MOST_BYTES + 1);
    }
  }
}
