package dev.handoff.internal.context.workspace;

import java.util.ArrayList;
import java.util.List;

/// Splits a text into overlapping passages of lines, so that related lines share a passage.
final class TextPassages {

  static final int LINES = 40;
  static final int OVERLAP = 10;
  static final int MOST = 250;
  static final int LONGEST = 8_000;

  private TextPassages() {}

  /// Passages without blank ones, at most [#MOST].
  static List<String> of(String text) {
    var starts = lineStarts(text);
    var passages = new ArrayList<String>();
    for (int line = 0; line < starts.size() && passages.size() < MOST; line += LINES - OVERLAP) {
      int end = Math.min(line + LINES, starts.size());
      add(text.substring(starts.get(line), end(text, starts, end)), passages);
      if (end == starts.size()) {
        break;
      }
    }
    return passages;
  }

  private static int end(String text, List<Integer> starts, int line) {
    return line == starts.size() ? text.length() : starts.get(line);
  }

  private static void add(String passage, List<String> passages) {
    for (int from = 0; from < passage.length() && passages.size() < MOST; from += LONGEST) {
      var part = passage.substring(from, Math.min(from + LONGEST, passage.length()));
      if (!part.isBlank()) {
        passages.add(part);
      }
    }
  }

  private static List<Integer> lineStarts(String text) {
    var starts = new ArrayList<Integer>();
    for (int at = 0; at < text.length(); at++) {
      starts.add(at);
      int end = text.indexOf('\n', at);
      if (end < 0) {
        break;
      }
      at = end;
    }
    return starts;
  }
}
