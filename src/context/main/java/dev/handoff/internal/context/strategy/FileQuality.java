package dev.handoff.internal.context.strategy;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// General quality of files by path: sources and documentation above tests, tests above generated
/// files. The first matching rule applies.
final class FileQuality {

  private record Rule(Pattern path, double quality) {}

  private static final double OTHERS = 0.6;
  private static final double BY_TOOLS = 0.1;

  private static final List<Rule> RULES =
      List.of(
          rule("(?:.*/)?(?:node_modules|target|build|dist|vendor|generated)/.*", BY_TOOLS),
          rule(
              ".*(?:\\.lock|-lock\\.json|-lock\\.yaml|\\.min\\.js|\\.min\\.css|\\.map|\\.svg|\\.hex)",
              BY_TOOLS),
          rule(".*\\.(?:csv|tsv|ndjson|jsonl|log|txt)", 0.3),
          rule("(?:.*/)?(?:changelog|license|notice|authors|\\.git[a-z]+)[^/]*", 0.3),
          rule("(?:.*/)?(?:test|tests|spec|bench|stress|it)/.*", 0.5),
          rule(".*(?:test|tests|spec|it)\\.[a-z]+", 0.5),
          rule(".*_(?:test|spec)\\.[a-z]+|(?:.*/)?test_[^/]*", 0.5),
          rule("(?:.*/)?package-info\\.java", 0.6),
          rule(".*\\.(?:md|markdown|adoc|rst)", 0.9),
          rule(
              ".*\\.(?:java|kt|scala|groovy|py|js|ts|tsx|go|rs|c|h|cc|cpp|cs|rb|php|swift|sql)",
              1));

  private FileQuality() {}

  /// @param path relative to the root, with slashes
  static double of(String path) {
    var lower = path.toLowerCase(Locale.ROOT);
    return RULES.stream()
        .filter(rule -> rule.path().matcher(lower).matches())
        .findFirst()
        .map(Rule::quality)
        .orElse(OTHERS);
  }

  static boolean isWrittenByTools(String path) {
    return of(path) <= BY_TOOLS;
  }

  private static Rule rule(String path, double quality) {
    return new Rule(Pattern.compile(path), quality);
  }
}
