package dev.handoff.internal.context.strategy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Query text of a request.
record RequestWords(String text) {

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]{2,}|\\p{IsIdeographic}");
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_$./-]{2,200}");
  private static final Pattern FILE = Pattern.compile(".+/.+|.*[\\w-]\\.[A-Za-z][A-Za-z0-9]{0,9}");
  private static final Pattern TYPE =
      Pattern.compile("(?:\\w+\\.)*[A-Z]\\w*[a-z]\\w*[A-Z]\\w*|(?:[a-z]\\w*\\.)+[A-Z]\\w*");
  private static final int MOST_NAMES = 8;

  /// Whether the query contains a word.
  boolean hasWords() {
    return WORD.matcher(text).find();
  }

  /// Number of words, counted up to a limit.
  int words(int most) {
    return (int) WORD.matcher(text).results().limit(most).count();
  }

  /// Words that may be type names or file paths.
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
