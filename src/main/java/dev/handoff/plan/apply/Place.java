package dev.handoff.plan.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The directory to write to, by its real name.
///
/// @param isThere whether it is there already; else the directory above it is
record Place(Path path, boolean isThere) {

  /// @throws UnusableException if nothing can be written there
  static Place of(Path root) throws IOException, UnusableException {
    var place = real(root);
    for (var part : place.path) {
      if (part.toString().equalsIgnoreCase(".git")) {
        throw new UnusableException("\"" + place.path + "\" belongs to git: name its work tree");
      }
    }
    return place;
  }

  private static Place real(Path root) throws IOException, UnusableException {
    if (Files.exists(root)) {
      if (!Files.isDirectory(root)) {
        throw new UnusableException("\"" + root + "\" is not a directory");
      }
      return new Place(root.toRealPath(), true);
    }
    if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      throw new UnusableException("\"" + root + "\" is a link that leads nowhere");
    }
    var absolute = root.toAbsolutePath();
    var name = absolute.getFileName();
    try {
      if (name != null && absolute.getParent() != null && isPlain(name)) {
        return new Place(absolute.getParent().toRealPath().resolve(name), false);
      }
    } catch (NoSuchFileException noParent) {
      // Said below.
    }
    throw new UnusableException(
        "\"" + root + "\" cannot be made: the directory above it is not there");
  }

  private static boolean isPlain(Path name) {
    return !name.toString().equals(".") && !name.toString().equals("..");
  }

  /// Nothing can be written to a directory, whatever it is.
  static final class UnusableException extends Exception {
    UnusableException(String reason) {
      super(reason);
    }
  }
}
