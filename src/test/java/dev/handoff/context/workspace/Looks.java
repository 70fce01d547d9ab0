package dev.handoff.context.workspace;

import dev.handoff.context.Depth;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// What files look like, with terms that are words in lower case.
final class Looks {

  static final Function<String, Set<String>> WORDS = Looks::words;

  private Looks() {}

  static String at(Depth depth, String path, String text, String query) {
    return Outliners.of(path, text).at(depth, words(query), WORDS);
  }

  static String outline(String path, String text) {
    return at(Depth.OUTLINE, path, text, "");
  }

  static Set<String> words(String text) {
    var words = new TreeSet<String>();
    for (String word : text.split("[^\\p{L}\\p{N}]+|(?<=\\p{Ll})(?=\\p{Lu})")) {
      if (word.length() > 2) {
        words.add(word.toLowerCase(Locale.ROOT));
      }
    }
    return words;
  }
}
