package dev.handoff.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What a number of keepings come to, all together. In the order of the hashes, so that two who
/// write at once meet the rows that they share in the same order.
final class Tally {

  /// What an owner uses from now on, as it is remembered: one row for all of his keepings.
  ///
  /// @param hashes joined
  record Use(String owner, byte[] hashes) {}

  private final List<Set<String>> missing = new ArrayList<>();
  private final SortedMap<String, Blob> contents = new TreeMap<>();
  private final SortedMap<String, Integer> uses = new TreeMap<>();
  private final Map<String, List<String>> owners = new LinkedHashMap<>();

  private Tally() {}

  /// Everything that is named, as far as it can be the name of something.
  static SortedSet<String> named(List<Keeping> asked) {
    var named = new TreeSet<String>();
    for (var keeping : asked) {
      keeping.used().stream().filter(Hashes::isName).forEach(named::add);
    }
    return named;
  }

  /// @param there whether a content is stored already
  static Tally of(List<Keeping> asked, Predicate<String> there) {
    var tally = new Tally();
    asked.forEach(keeping -> tally.add(keeping, there));
    return tally;
  }

  private void add(Keeping keeping, Predicate<String> there) {
    var own = keeping.contents().stream().map(Blob::sha256).collect(Collectors.toSet());
    var unknown =
        keeping.known().stream()
            .filter(sha256 -> !own.contains(sha256) && !contents.containsKey(sha256))
            .filter(sha256 -> !there.test(sha256))
            .collect(Collectors.toUnmodifiableSet());
    missing.add(unknown);
    var used = keeping.used();
    if (unknown.isEmpty() && !used.isEmpty()) {
      keeping.contents().forEach(blob -> contents.putIfAbsent(blob.sha256(), blob));
      used.forEach(sha256 -> uses.merge(sha256, 1, Integer::sum));
      owners.computeIfAbsent(keeping.owner(), first -> new ArrayList<>()).addAll(used);
    }
  }

  /// Which of the known ones are missing, by keeping.
  List<Set<String>> missing() {
    return List.copyOf(missing);
  }

  /// What is to be stored.
  ///
  /// @param there whether a content is stored already
  List<Blob> fresh(Predicate<String> there) {
    return contents.values().stream().filter(blob -> !there.test(blob.sha256())).toList();
  }

  /// How many uses everything gets that is used.
  SortedMap<String, Integer> uses() {
    return uses;
  }

  /// A row is given back in few slices.
  List<Use> remembered() {
    var remembered = new ArrayList<Use>();
    owners.forEach(
        (owner, used) -> {
          for (int from = 0; from < used.size(); from += Slice.MOST_USES) {
            int to = Math.min(used.size(), from + Slice.MOST_USES);
            remembered.add(new Use(owner, Hashes.joined(used.subList(from, to))));
          }
        });
    return remembered;
  }
}
