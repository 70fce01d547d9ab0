package dev.handoff.internal.context.workspace;

import dev.handoff.context.SearchDepth;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Outlines of files, with lower-case words as terms.
final class OutlineSamples {

  static final Function<String, Set<String>> WORDS = OutlineSamples::words;

  private OutlineSamples() {}

  static String at(SearchDepth depth, String path, String text, String query) {
    return FileOutliners.of(path, text).at(depth, words(query), WORDS);
  }

  static String outline(String path, String text) {
    return at(SearchDepth.OUTLINE, path, text, "");
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
