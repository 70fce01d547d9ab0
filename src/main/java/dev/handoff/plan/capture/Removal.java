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

  /// So many characters below the top, at most. Systems name no path of more than 4,096 bytes, but
  /// a tool that goes down step by step gets deeper than that.
  private static final int LONGEST_PATH = 1_000;

  private final Path top;

  /// Whether there are directories that were too deep, and lie at the top now.
  private boolean isDeep;

  private Removal(Path top) {
    this.top = top;
  }

  static void of(Path directory) throws IOException {
    Removal removal;
    do {
      removal = new Removal(directory);
      if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.walkFileTree(directory, removal);
      }
    } while (removal.isDeep);
  }

  /// Tools make directories read-only, in which nothing can be deleted.
  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes seen)
      throws IOException {
    directory.toFile().setWritable(true);
    if (directory.toString().length() - top.toString().length() < LONGEST_PATH) {
      return FileVisitResult.CONTINUE;
    }
    Files.move(directory, Files.createTempDirectory(top, "deep").resolve("deeper"));
    isDeep = true;
    return FileVisitResult.SKIP_SUBTREE;
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
    if (!isDeep || !directory.equals(top)) {
      Files.deleteIfExists(directory);
    }
    return FileVisitResult.CONTINUE;
  }
}
