package dev.handoff.internal.plan.change;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random texts like those of people: most lines differ, some repeat.
final class RandomText {

  private static final List<String> AGAIN =
      List.of("", "}", "  }", "end", "\t", "-- a", "++ b", "@@ -1 +1 @@", "\\ No newline", " x");

  private final Random random;
  private final int words;
  private int fresh;

  /// @param words number of distinct lines; 0 = no repetition
  RandomText(Random random, int words) {
    this.random = random;
    this.words = words;
  }

  String text(int lines) {
    var text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append(line());
    }
    return text.toString();
  }

  private String line() {
    if (words == 0) {
      return "line " + fresh++ + "\n";
    }
    return random.nextInt(5) == 0
        ? AGAIN.get(random.nextInt(AGAIN.size())) + "\n"
        : "word\u00e9 " + random.nextInt(words) + "\n";
  }

  /// Text with this number of edited places.
  String edited(String text, int places) {
    var lines = new ArrayList<>(text.isEmpty() ? List.of() : List.of(text.split("(?<=\n)")));
    for (int i = 0; i < places; i++) {
      int at = random.nextInt(lines.size() + 1);
      int count = 1 + random.nextInt(3);
      switch (random.nextInt(3)) {
        case 0 -> {
          for (int k = 0; k < count; k++) {
            lines.add(at, line());
          }
        }
        case 1 -> lines.subList(at, Math.min(at + count, lines.size())).clear();
        default -> {
          if (at < lines.size()) {
            lines.set(at, line());
          }
        }
      }
    }
    return String.join("", lines);
  }

  /// Text in one of the usual forms: unchanged, without the last line feed, or with CRLF.
  String form(String text) {
    return random.nextInt(6) == 0 ? text.replace("\n", "\r\n") : cut(text);
  }

  /// Text, sometimes without its last line feed.
  String cut(String text) {
    return text.endsWith("\n") && random.nextInt(6) == 0
        ? text.substring(0, text.length() - 1)
        : text;
  }
}
