package dev.handoff.internal.context.assembly;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.handoff.context.TokenCounter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.stream.Collectors;

/// Factory of token counters.
public final class TokenCounters {

  /// Thread-safe and immutable, therefore shared by all engines of the JVM. Tables load lazily.
  private static final EncodingRegistry TABLES = Encodings.newLazyEncodingRegistry();

  private TokenCounters() {}

  /// Returns the counter of an encoding. The first call loads its tables, which takes a tenth of a
  /// second and some megabytes; not for actor threads.
  ///
  /// @throws IllegalArgumentException if the encoding is unknown
  public static TokenCounter of(String encoding) {
    var type =
        EncodingType.fromName(encoding)
            .orElseThrow(() -> new IllegalArgumentException(unknown(encoding)));
    return TABLES.getEncoding(type)::countTokensOrdinary;
  }

  static String unknown(String encoding) {
    return "encoding \"%s\" does not exist; known: %s"
        .formatted(
            encoding,
            Arrays.stream(EncodingType.values())
                .map(EncodingType::getName)
                .collect(Collectors.joining(", ")));
  }

  /// Counter with a cache per text; not thread-safe.
  static TokenCounter remembering(TokenCounter tokens) {
    var counted = new HashMap<String, Integer>();
    return text -> counted.computeIfAbsent(text, tokens::count);
  }
}
