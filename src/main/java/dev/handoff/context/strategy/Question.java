package dev.handoff.context.strategy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The words of a request.
record Question(String text) {

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]{2,}|\\p{IsIdeographic}");
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$./-]{2,200}");
  private static final Pattern FILE = Pattern.compile(".+/.+|.*[\\w-]\\.[A-Za-z][A-Za-z0-9]{0,9}");
  private static final Pattern TYPE =
      Pattern.compile("(?:\\w+\\.)*[A-Z]\\w*[a-z]\\w*[A-Z]\\w*|(?:[a-z]\\w*\\.)+[A-Z]\\w*");
  private static final int MOST_NAMES = 8;

  /// Whether there is anything to look for.
  boolean hasWords() {
    return WORD.matcher(text).find();
  }

  /// How many there are, up to a number.
  int words(int most) {
    return (int) WORD.matcher(text).results().limit(most).count();
  }

  /// What may be the name of a type or the path of a file.
  List<String> names() {
    Set<String> names = new LinkedHashSet<>();
    NAME.matcher(text)
        .results()
        .map(found -> withoutStop(found.group()))
        .filter(name -> FILE.matcher(name).matches() || TYPE.matcher(name).matches())
        .limit(MOST_NAMES)
        .forEach(names::add);
    return List.copyOf(names);
  }

  private static String withoutStop(String name) {
    int end = name.length();
    while (end > 0 && "./-".indexOf(name.charAt(end - 1)) >= 0) {
      end--;
    }
    return name.substring(0, end);
  }
}
