package dev.handoff.internal.context.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// Analyzer for terms: [WordSplitter], without stop words, stemmed. Thread-safe.
final class WordNormalizer extends Analyzer {

  /// Must be raised when the analysis changes; then all files are reindexed.
  static final String VERSION = "words-1";

  private static final String EMPTY_WORDS =
      """
      a about above after again all also am an and any are as at be because been before being below \
      between both but by can cannot could did do does doing don down during each few for from further \
      had has have having he her here hers him his how i if in into is isn it its itself just like ll \
      may me might more most must my no nor not now of off on once only or other our out over own \
      re same shall she should so some such than that the their them then there these they this those \
      through to too under until up upon us ve very want was way we were what when where which while \
      who whom whose why will with within would you your
      """;

  private static final CharArraySet STOPPED = stopped();

  private static CharArraySet stopped() {
    var words = new CharArraySet(Arrays.asList(EMPTY_WORDS.strip().split("\\s+")), false);
    for (char letter = 'a'; letter <= 'z'; letter++) {
      words.add(String.valueOf(letter));
    }
    return CharArraySet.unmodifiableSet(words);
  }

  /// Porter's stemmer gave the best recall of four: 38 % of the questions in `src/bench` found
  /// their files among the first ten (Snowball's English 38, KStem 35, plurals only 37, none 33).
  @Override
  protected TokenStreamComponents createComponents(String field) {
    var words = new WordSplitter();
    return new TokenStreamComponents(words, new PorterStemFilter(new StopFilter(words, STOPPED)));
  }

  /// Terms in order of first occurrence.
  Set<String> terms(String text) {
    return Collections.unmodifiableSet(counted(text).keySet());
  }

  /// Count per term, in order of first occurrence.
  Map<String, Integer> counted(String text) {
    var counts = new LinkedHashMap<String, Integer>();
    try (var stream = tokenStream("", text)) {
      var term = stream.getAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        counts.merge(term.toString(), 1, Integer::sum);
      }
      stream.end();
      return counts;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
