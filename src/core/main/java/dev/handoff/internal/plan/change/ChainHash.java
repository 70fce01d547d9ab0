package dev.handoff.internal.plan.change;

import dev.handoff.plan.ContentRef;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Hashes of the change ledger. Each field is hashed with its length, so different entries never
/// have equal input.
public final class ChainHash {

  /// Predecessor hash of a chain's first changeset.
  public static final String NONE = "0".repeat(64);

  private static final int LENGTH = 32;

  private ChainHash() {}

  /// Predecessor seal of a changeset's first entry.
  ///
  /// @param changeset id of the changeset
  public static String first(String changeset) {
    return of("set", changeset).substring(0, LENGTH);
  }

  static String next(
      String previous,
      String path,
      @Nullable ContentRef before,
      @Nullable ContentRef after,
      Instant at) {
    return of(previous, path, shown(before), shown(after), String.valueOf(at.toEpochMilli()))
        .substring(0, LENGTH);
  }

  /// SHA-256 of texts in lower-case hex. Null differs from an empty text.
  public static String of(@Nullable String... texts) {
    var sha = sha256();
    for (var text : texts) {
      var bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
      sha.update(ByteBuffer.allocate(4).putInt(text == null ? -1 : bytes.length).array());
      sha.update(bytes);
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  /// SHA-256 of a content in lower-case hex.
  public static String of(byte[] content) {
    return HexFormat.of().formatHex(sha256().digest(content));
  }

  private static @Nullable String shown(@Nullable ContentRef content) {
    return content == null ? null : content.sha256() + ":" + content.bytes();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }
}
