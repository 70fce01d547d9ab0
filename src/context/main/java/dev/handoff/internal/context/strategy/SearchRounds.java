package dev.handoff.internal.context.strategy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.StrategyCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Results of several search rounds for one request. Immutable.
final class SearchRounds {

  /// Number of top resources compared between rounds; a change leads to another round.
  static final int BEST = 10;

  private static final int NAMED_FILES = 3;
  private static final int MOST_NAMES = 6;

  /// Weight of a later round relative to the previous round: its query contains found names, so it
  /// is less specific to the request.
  private static final double LATER = 0.2;

  private static final double QUALITY = 0.4;
  private static final double UNKNOWN = 0.5;
  private static final Map<String, Double> TRUST =
      Map.of(
          SimpleKeyword.NAME, 0.3,
          SemanticEmbedding.NAME, 0.6,
          BreadthDepthNavigator.NAME, 0.85,
          TemporalArchaeology.NAME, 0.5);

  private final StrategyCall call;
  private final List<List<Fragment>> found;
  private final List<FileRanking.Ranked> ranked;
  private final Set<String> before;

  SearchRounds(StrategyCall call) {
    this(call, List.of(), Set.of());
  }

  private SearchRounds(StrategyCall call, List<List<Fragment>> found, Set<String> before) {
    this.call = call;
    this.found = found;
    this.before = before;
    ranked = rank(found);
  }

  SearchRounds and(List<Fragment> more) {
    var all = Stream.concat(found.stream(), Stream.of(List.copyOf(more))).toList();
    return new SearchRounds(call, all, best());
  }

  int count() {
    return found.size();
  }

  /// Whether the last round left the top resources unchanged.
  boolean isSettled() {
    return best().equals(before);
  }

  private Set<String> best() {
    return ranked.stream()
        .limit(BEST)
        .map(FileRanking.Ranked::path)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Request with the names defined by the best files added to the query.
  ContextRequest next() {
    var request = call.request();
    var names =
        ranked.stream()
            .limit(NAMED_FILES)
            .flatMap(one -> call.workspace().file(one.path()).stream())
            .flatMap(file -> file.outline().defines().stream())
            .filter(name -> name.indexOf('.') < 0 && name.indexOf('/') < 0)
            .limit(MOST_NAMES)
            .collect(Collectors.joining(" "));
    return request.query(request.query() + " " + names);
  }

  /// Best resources of all rounds, each with its first fragment.
  List<Fragment> fragments() {
    Map<String, Fragment> first = new LinkedHashMap<>();
    found.forEach(some -> some.forEach(one -> first.putIfAbsent(one.resource(), one)));
    var fragments = new ArrayList<Fragment>();
    for (var one : ranked.stream().limit(FragmentMaker.MOST).toList()) {
      var fragment = first.get(one.path());
      fragments.add(
          new Fragment(
              one.path(),
              Arce.NAME,
              fragment.texts(),
              Math.clamp(one.value() / ranked.getFirst().value(), 0, 1),
              fragment.quality(),
              fragment.modified(),
              one.because()));
    }
    return fragments;
  }

  /// Logarithmic weight: sums of these weights multiply the doubts of all finding strategies.
  private static double worth(Fragment fragment, double trust) {
    double doubt = 1 - trust * fragment.relevance();
    return -Math.log(doubt) * (1 - QUALITY + QUALITY * fragment.quality());
  }

  private static List<FileRanking.Ranked> rank(List<List<Fragment>> found) {
    var ranking = new FileRanking();
    double weight = 1;
    for (int round = 0; round < found.size(); round++) {
      for (var one : found.get(round)) {
        double trust = TRUST.getOrDefault(one.strategy(), UNKNOWN);
        var because =
            "%s, round %d of %d: %s"
                .formatted(one.strategy(), round + 1, found.size(), one.because());
        ranking.add(one.resource(), worth(one, weight * trust), because);
      }
      weight *= LATER;
    }
    return ranking.best(Integer.MAX_VALUE);
  }
}
