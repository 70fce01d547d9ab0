package dev.handoff.context.assembly;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.handoff.context.TokenCounter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.stream.Collectors;

/// Counters of tokens.
public final class Counters {

  /// Thread-safe. Its tables never change: all engines of a JVM read them once, when they are asked
  /// for.
  private static final EncodingRegistry TABLES = Encodings.newLazyEncodingRegistry();

  private Counters() {}

  /// Reads the tables of an encoding, which takes a tenth of a second and some megabytes the first
  /// time: not for an actor's thread.
  ///
  /// @throws IllegalArgumentException if there is no such encoding
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

  /// One that counts the same text only once. For one thread after the other.
  static TokenCounter remembering(TokenCounter tokens) {
    var counted = new HashMap<String, Integer>();
    return text -> counted.computeIfAbsent(text, tokens::count);
  }
}
