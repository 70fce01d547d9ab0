package dev.handoff.plan.change;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The hashes of a ledger of changes. Each field goes in with its length, so that two different
/// entries never hash the same text.
public final class Seal {

  /// What the first changeset of a chain follows.
  public static final String NONE = "0".repeat(64);

  private static final int LENGTH = 32;

  private Seal() {}

  /// What the first entry of a changeset follows.
  ///
  /// @param changeset its id
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

  /// The SHA-256 of some texts, in lower-case hex. A null is not an empty text.
  public static String of(@Nullable String... texts) {
    var sha = sha256();
    for (var text : texts) {
      var bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
      sha.update(ByteBuffer.allocate(4).putInt(text == null ? -1 : bytes.length).array());
      sha.update(bytes);
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  /// The SHA-256 of a content, in lower-case hex.
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
