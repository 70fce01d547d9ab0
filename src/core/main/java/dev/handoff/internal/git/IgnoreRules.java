package dev.handoff.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.errors.InvalidPatternException;
import org.eclipse.jgit.fnmatch.FileNameMatcher;
import org.eclipse.jgit.ignore.FastIgnoreRule;
import org.eclipse.jgit.ignore.IgnoreNode;
import org.jspecify.annotations.Nullable;

/// Git ignore rules of a directory, chained to the rules of its parents. The nearest matching rule
/// decides.
///
/// @param above rules of the parent; null = none
/// @param prefix added to a name for a lookup in the parent's rules
public record IgnoreRules(IgnoreNode own, String prefix, @Nullable IgnoreRules above) {

  private static final int LARGEST = 1 << 20;

  /// Limits against malicious files: every name is compared with every rule.
  private static final int MOST_RULES = 10_000;

  private static final int LONGEST_RULE = 1_000;

  /// JGit tries all ways to match several `*`: with five of them, a name of 250 characters takes
  /// minutes.
  private static final int MOST_STARS = 3;

  public static final IgnoreRules NONE = new IgnoreRules(new IgnoreNode(), "", null);

  /// @param name relative to the directory of these rules
  public boolean ignores(String name, boolean directory) {
    var verdict = own.checkIgnored(name, directory);
    if (verdict != null) {
      return verdict;
    }
    return above != null && above.ignores(prefix + name, directory);
  }

  /// Rules of a subdirectory, with those of an optional ignore file.
  ///
  /// @param name of the subdirectory, relative to these rules
  public IgnoreRules below(String name, Path file, IgnoreProblems problems) {
    return new IgnoreRules(read(file, problems), name.isEmpty() ? "" : name + "/", this);
  }

  /// Reads an ignore file; no rules if it is missing or unreadable.
  private static IgnoreNode read(Path file, IgnoreProblems problems) {
    var rules = new ArrayList<FastIgnoreRule>();
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      lines(file, problems).stream()
          .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.equals("/"))
          .filter(line -> isRule(line, problems))
          .map(FastIgnoreRule::new)
          .limit(MOST_RULES + 1L)
          .forEach(rules::add);
    }
    if (rules.size() > MOST_RULES) {
      problems.unusable(file + ": all after the first " + MOST_RULES);
      rules.removeLast();
    }
    return new IgnoreNode(rules);
  }

  private static List<String> lines(Path file, IgnoreProblems problems) {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException failure) {
      problems.unreadable(file);
      return List.of();
    }
  }

  /// Whether the line is a valid rule. JGit would log an invalid rule on every refresh.
  private static boolean isRule(String line, IgnoreProblems problems) {
    if (line.length() > LONGEST_RULE || isSlow(line)) {
      problems.unusable(line);
      return false;
    }
    if (line.indexOf('[') >= 0) {
      try {
        var unused = new FileNameMatcher(line, '/');
        unused.reset();
      } catch (InvalidPatternException none) {
        problems.unusable(line);
        return false;
      }
    }
    return true;
  }

  private static boolean isSlow(String line) {
    int anywhere = 0;
    for (var part : line.split("/")) {
      if (part.equals("**")) {
        anywhere++;
      } else if (part.chars().filter(sign -> sign == '*').count() > MOST_STARS) {
        return true;
      }
    }
    return anywhere > MOST_STARS;
  }
}
