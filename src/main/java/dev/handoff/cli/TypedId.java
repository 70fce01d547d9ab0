package dev.handoff.cli;

import java.util.Locale;

/// An id as somebody has typed it. Ids have capitals, and nobody has to hold a key for that.
final class TypedId {

  private TypedId() {}

  /// What is too long or too short for an id stays as it is, and is refused as it was typed.
  static String of(String text) {
    return text.length() == 26 ? text.toUpperCase(Locale.ROOT) : text;
  }
}
