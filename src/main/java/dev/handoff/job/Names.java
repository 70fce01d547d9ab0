package dev.handoff.job;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What may be a name (of a type, a queue, a label, a breaker, a strategy): the same rule behind
/// every door.
public final class Names {

  private static final int MAX_LENGTH = 128;

  private Names() {}

  /// What is wrong with a name, in words that show the rule; empty if it is one.
  public static Optional<String> problem(String what, @Nullable String value) {
    return is(value)
        ? Optional.empty()
        : Optional.of(
            "%s \"%s\" is not a name: 1 to 128 letters, digits and . _ : -, the first a letter or digit"
                .formatted(what, Text.shown(value)));
  }

  /// Without a pattern: each submission has two names.
  public static boolean is(@Nullable String value) {
    boolean is = value != null && !value.isEmpty() && value.length() <= MAX_LENGTH;
    for (int i = 0; is && i < value.length(); i++) {
      char c = value.charAt(i);
      boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      is = plain || i > 0 && "._:-".indexOf(c) >= 0;
    }
    return is;
  }
}
