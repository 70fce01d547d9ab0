package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Target directory by its real path.
///
/// @param isThere whether the directory exists; if not, its parent does
record TargetDirectory(Path path, boolean isThere) {

  /// @throws UnusableException if the directory cannot be written to
  static TargetDirectory of(Path root) throws IOException, UnusableException {
    var target = real(root);
    for (var part : target.path) {
      if (part.toString().equalsIgnoreCase(".git")) {
        throw new UnusableException("\"" + target.path + "\" belongs to git: name its work tree");
      }
    }
    return target;
  }

  private static TargetDirectory real(Path root) throws IOException, UnusableException {
    if (Files.exists(root)) {
      if (!Files.isDirectory(root)) {
        throw new UnusableException("\"" + root + "\" is not a directory");
      }
      return new TargetDirectory(root.toRealPath(), true);
    }
    if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      throw new UnusableException("\"" + root + "\" is a link that leads nowhere");
    }
    var absolute = root.toAbsolutePath();
    var name = absolute.getFileName();
    try {
      if (name != null && absolute.getParent() != null && isPlain(name)) {
        return new TargetDirectory(absolute.getParent().toRealPath().resolve(name), false);
      }
    } catch (NoSuchFileException noParent) {
      // Reported below.
    }
    throw new UnusableException(
        "\"" + root + "\" cannot be made: the directory above it is not there");
  }

  private static boolean isPlain(Path name) {
    return !name.toString().equals(".") && !name.toString().equals("..");
  }

  /// Target that can never be written to.
  static final class UnusableException extends Exception {
    UnusableException(String reason) {
      super(reason);
    }
  }
}
