package dev.handoff.plan.capture;

import dev.handoff.plan.change.Seal;
import dev.handoff.store.Blob;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// The files of a directory that is copied.
final class SourceFiles {

  private SourceFiles() {}

  /// Copies one, with its times and permissions. One that is gone by now was never there.
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

  /// Deletes one, if it is there, and the directories above it that it leaves empty, as git does:
  /// another file may be to take their place.
  ///
  /// @param top what is not deleted
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
      // So are those above it.
    }
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
