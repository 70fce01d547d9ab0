package dev.handoff.internal.plan.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 of files of any size.
final class FileHash {

  private static final int BUFFER = 64 * 1024;

  private FileHash() {}

  /// Hashes a file. Links are not followed.
  static String of(Path file) throws IOException {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      var sha = sha256();
      drain(new DigestInputStream(in, sha));
      return HexFormat.of().formatHex(sha.digest());
    }
  }

  private static void drain(InputStream in) throws IOException {
    var buffer = new byte[BUFFER];
    while (in.read(buffer) >= 0) {
      // The read itself updates the hash.
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }
}
