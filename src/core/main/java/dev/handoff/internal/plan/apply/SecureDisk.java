package dev.handoff.internal.plan.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Real file system.
final class SecureDisk implements FileOperations {

  static final FileOperations INSTANCE = new SecureDisk();

  private static final FileAttribute<?> SECRET =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private SecureDisk() {}

  @Override
  public Dir open(Path directory) throws IOException {
    var stream = Files.newDirectoryStream(directory);
    if (stream instanceof SecureDirectoryStream<Path> handle) {
      return new SecureDir(handle, LinkOption.NOFOLLOW_LINKS);
    }
    stream.close();
    throw new NoHandlesException(directory);
  }

  @Override
  public void makeDirectory(Path directory, boolean secret) throws IOException {
    if (secret) {
      Files.createDirectory(directory, SECRET);
    } else {
      Files.createDirectory(directory);
    }
  }
}
