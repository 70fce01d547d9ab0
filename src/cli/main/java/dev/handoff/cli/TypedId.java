package dev.handoff.cli;

import java.util.Locale;

/// Id typed by a user; lower case is accepted.
final class TypedId {

  private TypedId() {}

  /// Converts to upper case if the length fits an id. Other text stays unchanged for the error
  /// message.
  static String of(String text) {
    return text.length() == 26 ? text.toUpperCase(Locale.ROOT) : text;
  }
}
