package dev.handoff.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// Generates keys for job lines without a key. A key consists of the line's content hash and the
/// number of equal lines above it. Adding, removing or moving lines therefore keeps all other keys.
/// The file name has no influence.
///
/// Lines are equal if their JSON is equal; white space, escapes and field order do not count.
///
/// A repeated run adds its name to the keys, so that its jobs are new.
final class LineKeys {

  private static final int HASH_BYTES = 16;
  private static final JsonMapper SORTED =
      JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final Pattern KEY =
      Pattern.compile("line:([0-9a-f]{16})[0-9a-f]{16}:\\d+(?:@(.+))?");

  private final String run;
  private final LineCounts counts = new LineCounts();

  /// @param run name of the run; empty for the first run
  LineKeys(String run) {
    this.run = run;
  }

  /// Key of the next line, which must be JSON without duplicate fields.
  String next(byte[] line) {
    var hash = hash(line);
    int above = counts.add(ByteBuffer.wrap(hash).getLong());
    return "line:%s:%d%s"
        .formatted(HexFormat.of().formatHex(hash), above + 1, run.isEmpty() ? "" : "@" + run);
  }

  /// Run name in a key of one of these lines (empty for the first run); no value for other keys.
  Optional<String> runOf(String key) {
    var made = KEY.matcher(key);
    return made.matches() && counts.contains(Long.parseUnsignedLong(made.group(1), 16))
        ? Optional.of(made.group(2) == null ? "" : made.group(2))
        : Optional.empty();
  }

  private static byte[] hash(byte[] line) {
    try {
      var sorted = SORTED.writeValueAsBytes(SORTED.readValue(line, Object.class));
      var digest = MessageDigest.getInstance("SHA-256").digest(sorted);
      return Arrays.copyOf(digest, HASH_BYTES);
    } catch (IOException | NoSuchAlgorithmException never) {
      throw new IllegalStateException(never);
    }
  }
}
