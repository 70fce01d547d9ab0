package dev.handoff.plan.capture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/// Deletes a directory with everything in it. Links are deleted, and not followed.
final class Removal extends SimpleFileVisitor<Path> {

  private Removal() {}

  static void of(Path directory) throws IOException {
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.walkFileTree(directory, new Removal());
    }
  }

  /// Tools make directories read-only, in which nothing can be deleted.
  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes seen) {
    directory.toFile().setWritable(true);
    return FileVisitResult.CONTINUE;
  }

  /// A directory that cannot be listed may be allowed to be.
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    var entry = file.toFile();
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
        && !entry.canExecute()
        && entry.setExecutable(true)
        && entry.setReadable(true)) {
      Files.walkFileTree(file, this);
    } else {
      Files.deleteIfExists(file);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
    Files.deleteIfExists(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, IOException failure)
      throws IOException {
    Files.deleteIfExists(directory);
    return FileVisitResult.CONTINUE;
  }
}
