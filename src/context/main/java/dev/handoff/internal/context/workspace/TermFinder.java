package dev.handoff.internal.context.workspace;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/// Finds query terms in a text. Only words that contain the prefix of a term go through the
/// analysis, which is ten times slower than this check.
public final class TermFinder {

  private static final int BEGINNING = 3;

  private final Set<String> terms;
  private final Set<String> beginnings;
  private final Function<String, Set<String>> analysis;

  /// @param terms query terms
  /// @param analysis converts a text to its terms, such as [WorkspaceView#terms]
  public TermFinder(Set<String> terms, Function<String, Set<String>> analysis) {
    this.terms = terms;
    this.analysis = analysis;
    this.beginnings = new HashSet<>();
    for (String term : terms) {
      // The last letter is excluded, because stemming may change it: "try" becomes "tri".
      int length = Math.clamp(term.length() - 1, 1, BEGINNING);
      beginnings.add(term.isEmpty() ? "" : term.substring(0, length));
    }
    beginnings.remove("");
  }

  /// Query terms in a text.
  public Set<String> in(String text) {
    return in(text, 0, text.length());
  }

  /// Query terms in a text range.
  Set<String> in(String text, int from, int to) {
    var words = new StringBuilder();
    Set<String> seen = new HashSet<>();
    int at = from;
    while (at < to && !beginnings.isEmpty()) {
      if (!isPart(text.charAt(at))) {
        at++;
        continue;
      }
      int start = at;
      boolean may = false;
      while (at < to && isPart(text.charAt(at))) {
        may = may || mayBegin(text, at);
        at++;
      }
      if (may) {
        var word = text.substring(start, at);
        if (seen.add(word)) {
          words.append(word).append(' ');
        }
      }
    }
    if (words.isEmpty()) {
      return Set.of();
    }
    var found = new HashSet<>(analysis.apply(words.toString()));
    found.retainAll(terms);
    return found;
  }

  private boolean mayBegin(String text, int at) {
    for (String beginning : beginnings) {
      if (text.regionMatches(true, at, beginning, 0, beginning.length())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPart(char character) {
    return Character.isLetterOrDigit(character)
        || character == '_'
        || Character.isSurrogate(character);
  }
}
