package dev.handoff.context.workspace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Finds the sections of a file that have most to do with a request: those that hold the most of
/// its terms, where a term that is rare in the file weighs more.
///
/// Not every section with a term of it: most have one. A section must come near the best.
final class SectionMatch {

  /// Of the sections that are shown whole, together; the best may be that long alone.
  static final int MOST_CHARACTERS = 1_600;

  private static final int MOST_SECTIONS = 6;
  private static final double NEAR = 0.7;

  private final String text;
  private final List<Section> sections;

  SectionMatch(String text, List<Section> sections) {
    this.text = text;
    this.sections = sections;
  }

  private record Weighed(int place, double weight) {}

  /// The places of the best sections.
  Set<Integer> best(Set<String> terms, Function<String, Set<String>> analysis) {
    var held = held(new TermFinder(terms, analysis));
    var weighed = weigh(held);
    Set<Integer> chosen = new TreeSet<>();
    int left = MOST_CHARACTERS;
    for (var one : weighed) {
      var section = sections.get(one.place());
      int length = Math.min(section.to() - section.from(), MOST_CHARACTERS);
      boolean near = one.weight() >= NEAR * weighed.getFirst().weight();
      if (!near || chosen.size() == MOST_SECTIONS) {
        break;
      }
      if (length <= left) {
        chosen.add(one.place());
        left -= length;
      }
    }
    return chosen;
  }

  /// The terms of each section that has any, by its place.
  private Map<Integer, Set<String>> held(TermFinder finder) {
    Map<Integer, Set<String>> held = new HashMap<>();
    for (int place = 0; place < sections.size(); place++) {
      var section = sections.get(place);
      if (section.hasText()) {
        var found = finder.in(text, section.from(), section.to());
        if (!found.isEmpty()) {
          held.put(place, found);
        }
      }
    }
    return held;
  }

  private List<Weighed> weigh(Map<Integer, Set<String>> held) {
    Map<String, Integer> frequency = new HashMap<>();
    held.values().forEach(found -> found.forEach(term -> frequency.merge(term, 1, Integer::sum)));
    List<Weighed> weighed = new ArrayList<>();
    held.forEach(
        (place, found) -> {
          double weight = 0;
          // In the same order each time: sums of the same numbers differ with their order.
          for (String term : new TreeSet<>(found)) {
            weight += Math.log(1 + (double) sections.size() / frequency.get(term));
          }
          weighed.add(new Weighed(place, weight));
        });
    weighed.sort(
        Comparator.comparingDouble(Weighed::weight).reversed().thenComparingInt(Weighed::place));
    return weighed;
  }
}
