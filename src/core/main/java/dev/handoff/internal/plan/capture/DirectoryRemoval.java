package dev.handoff.internal.plan.capture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/// Deletion of a directory tree. Links are deleted, not followed.
public final class DirectoryRemoval extends SimpleFileVisitor<Path> {

  /// Longest path below the top, in characters. Operating systems limit paths to 4,096 bytes, but a
  /// tool can make deeper directories with relative paths.
  private static final int LONGEST_PATH = 1_000;

  private final Path top;

  /// Whether deep directories were moved to the top and need another walk.
  private boolean isDeep;

  private DirectoryRemoval(Path top) {
    this.top = top;
  }

  public static void of(Path directory) throws IOException {
    DirectoryRemoval removal;
    do {
      removal = new DirectoryRemoval(directory);
      if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.walkFileTree(directory, removal);
      }
    } while (removal.isDeep);
  }

  /// Makes a directory writable before its entries are deleted: tools leave read-only directories.
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

  /// Retries a directory that could not be listed, with permissions to list it.
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
