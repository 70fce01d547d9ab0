package dev.handoff.internal.context.workspace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// Content of a scanned file, or the reason to skip it.
sealed interface FileReads {

  record Text(String text, String hash, long bytes) implements FileReads {}

  record Skipped(SkipReason why) implements FileReads {}

  int LOOKED_AT_FOR_NUL = 8 << 10;
  int HASH_BYTES = 16;
  FileReads EMPTY = new Text("", hash(new byte[0]), 0);

  /// Reads a file, never through a link. The real path is compared before and after the read,
  /// because a parent directory may become a link in between.
  static FileReads read(Path path, long most) {
    try {
      if (!isItself(path)) {
        return new Skipped(SkipReason.LINK);
      }
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        return new Skipped(SkipReason.UNREADABLE);
      }
      byte[] bytes;
      try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
        bytes = in.readNBytes((int) most + 1);
      }
      if (!isItself(path)) {
        return new Skipped(SkipReason.LINK);
      }
      return bytes.length > most ? new Skipped(SkipReason.LARGE) : of(bytes);
    } catch (IOException | SecurityException unreadable) {
      return new Skipped(SkipReason.UNREADABLE);
    }
  }

  private static boolean isItself(Path path) throws IOException {
    return path.toRealPath().equals(path);
  }

  private static FileReads of(byte[] bytes) {
    for (int at = 0; at < Math.min(bytes.length, LOOKED_AT_FOR_NUL); at++) {
      if (bytes[at] == 0) {
        return new Skipped(SkipReason.BINARY);
      }
    }
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new Text(
          text.startsWith("\uFEFF") ? text.substring(1) : text, hash(bytes), bytes.length);
    } catch (CharacterCodingException none) {
      return new Skipped(SkipReason.BINARY);
    }
  }

  static String hash(byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(Arrays.copyOf(digest, HASH_BYTES));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
