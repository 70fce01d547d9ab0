package dev.handoff.internal.text;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Messages of parsers, without internals such as settings, class names and start markers.
final class ParserMessages {

  private static final int LONGEST = 300;
  private static final Pattern INSIDES =
      Pattern.compile(
          " \\(start marker at \\[[^\\]]*\\]\\)"
              + "|, got this instead: <.*"
              + "|,? ?but got <org\\.yaml[^>]*>|<org\\.yaml[^>]*>"
              + "|[:;,]? ?enable `[^`]*`[^,;]*"
              + "|: maybe a \\(non-standard\\) comment\\?.*"
              + "|[ (]*`[A-Za-z.]*Constraints[^`]*`\\)?");

  private ParserMessages() {}

  /// Short form of a message: without indented excerpts of the text.
  static String plain(@Nullable String said) {
    var message = String.valueOf(said);
    if (message.toLowerCase(Locale.ROOT).contains("nesting depth")) {
      return "its nesting depth is too large";
    }
    var words =
        message
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith(" "))
            .limit(2)
            .collect(Collectors.joining(", "));
    var plain = SafeText.clean(INSIDES.matcher(words).replaceAll("").strip(), LONGEST);
    return plain.isEmpty() ? "it cannot be read" : plain;
  }
}
