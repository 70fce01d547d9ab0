package dev.handoff.internal.context.workspace;

import dev.handoff.internal.git.IgnoreProblems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Collects omissions from the index: a count per reason, with a few file names.
final class SkipNotes implements IgnoreProblems {

  private static final int NAMES = 5;
  private static final int LONGEST_NAME = 200;

  private final Map<SkipReason, Tally> tallies = new EnumMap<>(SkipReason.class);

  private static final class Tally {
    final TreeSet<String> names = new TreeSet<>();
    int count;

    void add(String name) {
      count++;
      names.add(name);
      if (names.size() > NAMES) {
        names.pollLast();
      }
    }
  }

  void add(SkipReason why, String name) {
    tallies.computeIfAbsent(why, first -> new Tally()).add(name);
  }

  @Override
  public void unreadable(Path file) {
    add(SkipReason.UNREADABLE, file.toString());
  }

  @Override
  public void unusable(String rule) {
    add(SkipReason.RULE, rule);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    tallies.forEach((why, tally) -> lines.add(line(why, tally)));
    return lines;
  }

  private static String line(SkipReason why, Tally tally) {
    var names = String.join(", ", tally.names.stream().map(SkipNotes::shown).toList());
    int more = tally.count - tally.names.size();
    return "%d × %s: %s%s"
        .formatted(
            tally.count, why.reason(), names, more > 0 ? " and %d more".formatted(more) : "");
  }

  /// Replaces control characters: file names are untrusted.
  private static String shown(String name) {
    var cut = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) + "…" : name;
    return cut.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }
}
