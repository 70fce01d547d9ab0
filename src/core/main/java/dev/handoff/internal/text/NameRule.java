package dev.handoff.internal.text;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Rule for names of types, queues, labels, breakers and strategies: the same rule at every entry
/// point.
public final class NameRule {

  private static final int MAX_LENGTH = 128;

  private NameRule() {}

  /// Problem of an invalid name, with the rule; empty for a valid name.
  public static Optional<String> problem(String what, @Nullable String value) {
    return is(value)
        ? Optional.empty()
        : Optional.of(
            "%s \"%s\" is not a name: 1 to 128 letters, digits and . _ : -, the first a letter or digit"
                .formatted(what, SafeText.shown(value)));
  }

  /// Checks without a regular expression: each submission has two names.
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
