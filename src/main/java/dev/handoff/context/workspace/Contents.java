package dev.handoff.context.workspace;

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

/// Reads files that a scan has seen.
sealed interface Contents {

  record Text(String text, String hash, long bytes) implements Contents {}

  record Skipped(Skip why) implements Contents {}

  int LOOKED_AT_FOR_NUL = 8 << 10;
  int HASH_BYTES = 16;
  Contents EMPTY = new Text("", hash(new byte[0]), 0);

  /// Never through a link: the path is compared with its real one before the file is opened, and
  /// again when it has been read, as a directory above it may have become a link in between.
  static Contents read(Path path, long most) {
    try {
      if (!isItself(path)) {
        return new Skipped(Skip.LINK);
      }
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        return new Skipped(Skip.UNREADABLE);
      }
      byte[] bytes;
      try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
        bytes = in.readNBytes((int) most + 1);
      }
      if (!isItself(path)) {
        return new Skipped(Skip.LINK);
      }
      return bytes.length > most ? new Skipped(Skip.LARGE) : of(bytes);
    } catch (IOException | SecurityException unreadable) {
      return new Skipped(Skip.UNREADABLE);
    }
  }

  private static boolean isItself(Path path) throws IOException {
    return path.toRealPath().equals(path);
  }

  private static Contents of(byte[] bytes) {
    for (int at = 0; at < Math.min(bytes.length, LOOKED_AT_FOR_NUL); at++) {
      if (bytes[at] == 0) {
        return new Skipped(Skip.BINARY);
      }
    }
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new Text(
          text.startsWith("\uFEFF") ? text.substring(1) : text, hash(bytes), bytes.length);
    } catch (CharacterCodingException none) {
      return new Skipped(Skip.BINARY);
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
