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

/// Keys for lines of a file that have none of their own. A key is made from the content of its
/// line, and from how many equal lines stand above it: lines that are added, removed or moved
/// change no key of the others. The name of the file is no part of it.
///
/// Two lines are equal if they are the same JSON: white space, escapes and the order of fields do
/// not matter.
///
/// A file that is run once more has other keys, which the name of that run is a part of.
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

  /// @param run the name of the run; empty for the first one, which needs none
  LineKeys(String run) {
    this.run = run;
  }

  /// The key of the next line, which is JSON without duplicate fields.
  String next(byte[] line) {
    var hash = hash(line);
    int above = counts.add(ByteBuffer.wrap(hash).getLong());
    return "line:%s:%d%s"
        .formatted(HexFormat.of().formatHex(hash), above + 1, run.isEmpty() ? "" : "@" + run);
  }

  /// Which run a key belongs to, if it is the key of a line that had its own made here; empty if it
  /// is not. The first run has no name.
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
