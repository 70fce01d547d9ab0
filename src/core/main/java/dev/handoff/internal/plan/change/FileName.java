package dev.handoff.internal.plan.change;

/// File names in git's diff syntax.
final class FileName {

  private FileName() {}

  /// Name, quoted and escaped if it contains control characters, quotes or backslashes.
  static String quoted(String name) {
    return name.chars().noneMatch(FileName::isSpecial) ? name : inQuotes(name);
  }

  /// Name within a line of several names, where a space needs quotes too.
  static String word(String name) {
    return name.indexOf(' ') < 0 ? quoted(name) : inQuotes(name);
  }

  private static String inQuotes(String name) {
    var quoted = new StringBuilder("\"");
    name.chars()
        .forEach(
            c -> {
              if (!isSpecial(c)) {
                quoted.append((char) c);
              } else if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else {
                quoted.append(String.format("\\%03o", c));
              }
            });
    return quoted.append('"').toString();
  }

  /// Name at the end of a line. A tab terminates a name with spaces, because some programs expect a
  /// date after it.
  static String ended(String name) {
    var quoted = quoted(name);
    return quoted.equals(name) && name.indexOf(' ') >= 0 ? name + "\t" : quoted;
  }

  private static boolean isSpecial(int c) {
    return c < ' ' || c == 127 || c == '"' || c == '\\';
  }
}
