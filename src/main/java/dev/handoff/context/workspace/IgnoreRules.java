package dev.handoff.context.workspace;

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

/// What git ignores below a directory: the rules of its own file, then those of whatever is above
/// it. The nearest rule that says anything of a name counts.
///
/// @param above the rules that are asked next; null = there are none
/// @param prefix what goes before a name that the rules above are asked for
record IgnoreRules(IgnoreNode own, String prefix, @Nullable IgnoreRules above) {

  private static final int LARGEST = 1 << 20;

  /// Every name is compared with every rule: what is more than this was made to be slow.
  private static final int MOST_RULES = 10_000;

  private static final int LONGEST_RULE = 1_000;

  /// JGit tries each way in which the stars of a rule can share a name among them: with five stars
  /// a name of 250 characters takes minutes.
  private static final int MOST_STARS = 3;

  static final IgnoreRules NONE = new IgnoreRules(new IgnoreNode(), "", null);

  /// @param name relative to the directory of the rules
  boolean ignores(String name, boolean directory) {
    var verdict = own.checkIgnored(name, directory);
    if (verdict != null) {
      return verdict;
    }
    return above != null && above.ignores(prefix + name, directory);
  }

  /// These rules for a directory below, and those of a file that may be there.
  ///
  /// @param name of the directory, relative to that of these rules
  IgnoreRules below(String name, Path file, Notes notes) {
    return new IgnoreRules(read(file, notes), name.isEmpty() ? "" : name + "/", this);
  }

  /// A file that is no file, or cannot be read, has no rules.
  private static IgnoreNode read(Path file, Notes notes) {
    var rules = new ArrayList<FastIgnoreRule>();
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      lines(file, notes).stream()
          .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.equals("/"))
          .filter(line -> isRule(line, notes))
          .map(FastIgnoreRule::new)
          .limit(MOST_RULES + 1L)
          .forEach(rules::add);
    }
    if (rules.size() > MOST_RULES) {
      notes.add(Skip.RULE, file + ": all after the first " + MOST_RULES);
      rules.removeLast();
    }
    return new IgnoreNode(rules);
  }

  private static List<String> lines(Path file, Notes notes) {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException failure) {
      notes.add(Skip.UNREADABLE, file.toString());
      return List.of();
    }
  }

  /// JGit would log what is none, with every refresh.
  private static boolean isRule(String line, Notes notes) {
    if (line.length() > LONGEST_RULE || isSlow(line)) {
      notes.add(Skip.RULE, line);
      return false;
    }
    if (line.indexOf('[') >= 0) {
      try {
        var unused = new FileNameMatcher(line, '/');
        unused.reset();
      } catch (InvalidPatternException none) {
        notes.add(Skip.RULE, line);
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
