package dev.handoff.internal.text;

import java.util.Locale;
import java.util.regex.Pattern;

/// Messages of parsers, without internals such as settings, class names and start markers.
final class ParserMessages {

  private static final Pattern INSIDES =
      Pattern.compile(
          " \\(start marker at \\[[^\\]]*\\]\\)"
              + "|, got this instead: <.*"
              + "|,? ?but got <org\\.yaml[^>]*>|<org\\.yaml[^>]*>"
              + "|[:;,]? ?enable `[^`]*`[^,;]*"
              + "|: maybe a \\(non-standard\\) comment\\?.*"
              + "|[ (]*`[A-Za-z.]*Constraints[^`]*`\\)?");

  private ParserMessages() {}

  static String plain(String words) {
    if (words.toLowerCase(Locale.ROOT).contains("nesting depth")) {
      return "its nesting depth is too large";
    }
    var plain = INSIDES.matcher(words).replaceAll("").strip();
    return plain.isEmpty() ? "it cannot be read" : plain;
  }
}
