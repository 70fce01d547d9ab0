package dev.handoff.internal.context.workspace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Selects the sections of a file that match a request best. The weight of a section is the sum
/// over its query terms; terms rare in the file weigh more.
///
/// A single term does not suffice, because most sections have one: the weight must be close to the
/// best.
final class SectionMatch {

  /// Limit of all fully shown sections together; the best alone may use it up.
  static final int MOST_CHARACTERS = 1_600;

  private static final int MOST_SECTIONS = 6;
  private static final double NEAR = 0.7;

  private final String text;
  private final List<OutlineSection> sections;

  SectionMatch(String text, List<OutlineSection> sections) {
    this.text = text;
    this.sections = sections;
  }

  private record Weighed(int place, double weight) {}

  /// Indexes of the best sections.
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

  /// Query terms per section index.
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
          // Fixed order: floating-point sums depend on it.
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
