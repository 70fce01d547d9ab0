package dev.handoff.internal.plan.apply;

import dev.handoff.plan.ContentRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 hashes of files and contents.
final class Fingerprint {

  private static final int SLICE = 1 << 16;

  private Fingerprint() {}

  /// Hashes a file up to its end, whatever its reported size.
  static ContentRef of(FileOperations.Dir directory, String name) throws IOException {
    var sha = sha256();
    long bytes = 0;
    try (var file = directory.read(name)) {
      var slice = ByteBuffer.allocate(SLICE);
      while (file.read(slice) >= 0) {
        bytes += slice.flip().remaining();
        sha.update(slice);
        slice.clear();
      }
    }
    return new ContentRef(HexFormat.of().formatHex(sha.digest()), bytes);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }
}
