package dev.handoff.plan.change;

/// Names of files as git writes them in a diff.
final class FileName {

  private FileName() {}

  /// The name; in quotes with escapes if it has characters that would end it or hide.
  static String quoted(String name) {
    return name.chars().noneMatch(FileName::isSpecial) ? name : inQuotes(name);
  }

  /// The same between other names, where a blank would end it, too.
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

  /// The same for a line of its own: a tab ends a name with blanks, behind which other programs
  /// expect a date.
  static String ended(String name) {
    var quoted = quoted(name);
    return quoted.equals(name) && name.indexOf(' ') >= 0 ? name + "\t" : quoted;
  }

  private static boolean isSpecial(int c) {
    return c < ' ' || c == 127 || c == '"' || c == '\\';
  }
}
