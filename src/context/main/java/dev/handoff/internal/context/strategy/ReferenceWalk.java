package dev.handoff.internal.context.strategy;

import dev.handoff.context.StrategyCall;
import dev.handoff.context.WorkspaceView;
import dev.handoff.context.WorkspaceView.Hit;
import dev.handoff.internal.context.workspace.TermFinder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/// One walk along the references of a workspace.
///
/// A file passes a part of its weight to its neighbours. The part shrinks with each hop and with
/// the number of neighbours: a file that refers to everything says little about each. Neighbours
/// that match the query receive more.
final class ReferenceWalk {

  private static final int CANDIDATES = 80;
  private static final int SEEDS = 12;
  private static final int HOPS = 2;
  private static final double DECAY = 0.5;
  private static final double BACKWARDS = 0.7;
  private static final double NAMED = 1.5;

  /// Weight of the file's declared subject; the keyword score has the rest.
  private static final double SAID = 0.8;

  /// Factor for a neighbour without query terms.
  private static final double WORDLESS = 0.2;

  private final StrategyCall call;
  private final WorkspaceView files;
  private final Map<String, Double> words = new HashMap<>();
  private final FileRanking ranking = new FileRanking();
  private final SortedSet<String> named;

  ReferenceWalk(StrategyCall call) {
    this.call = call;
    files = call.workspace();
    var query = call.request().query();
    named = new NamedFiles(files).of(new RequestWords(query));
    var hits = files.search(query, CANDIDATES);
    var affinity = new FileAffinity(files, files.terms(query));
    for (Hit hit : hits) {
      double said = files.file(hit.path()).map(affinity::of).orElse(0.0);
      double word = (1 - SAID) * hit.score() / hits.getFirst().score() + SAID * said;
      words.put(hit.path(), word);
      ranking.add(hit.path(), word, "");
    }
    named.forEach(path -> ranking.add(path, NAMED, "is named in the request"));
  }

  List<FileRanking.Ranked> best(int most) {
    var frontier = ranking.best(SEEDS);
    double decay = DECAY;
    for (int hop = 1; hop <= HOPS; hop++) {
      call.cancellation().throwIfCancelled();
      var reached = new FileRanking();
      for (var from : frontier) {
        var name = from.path().substring(from.path().lastIndexOf('/') + 1);
        pass(from, decay, files.references(from.path()), name + " refers to it", reached);
        pass(from, decay * BACKWARDS, files.referrers(from.path()), "refers to " + name, reached);
      }
      frontier = reached.best(SEEDS);
      decay *= DECAY;
    }
    return ranking.best(most);
  }

  private void pass(
      FileRanking.Ranked from,
      double part,
      Set<String> neighbours,
      String because,
      FileRanking reached) {
    double each = part * from.value() / Math.sqrt(1.0 + neighbours.size());
    for (String neighbour : neighbours) {
      double word = WORDLESS + (1 - WORDLESS) * words.getOrDefault(neighbour, 0.0);
      ranking.add(neighbour, each * word, because);
      reached.add(neighbour, each * word, because);
    }
  }

  /// Match of the result with the request: the largest fraction of its terms in one of the three
  /// best files; 1 if the query names a file.
  double trust(Set<String> terms) {
    if (!named.isEmpty() || terms.isEmpty()) {
      return 1;
    }
    var finder = new TermFinder(terms, files::terms);
    double most =
        ranking.best(3).stream()
            .flatMap(one -> files.file(one.path()).stream())
            .mapToInt(file -> finder.in(file.text()).size())
            .max()
            .orElse(0);
    return 0.4 + 0.6 * most / terms.size();
  }
}
