package dev.handoff.context.strategy;

import dev.handoff.context.StrategyCall;
import dev.handoff.context.workspace.TermFinder;
import dev.handoff.context.workspace.WorkspaceView;
import dev.handoff.context.workspace.WorkspaceView.Hit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/// One walk over the references of a workspace.
///
/// A file gives a part of its weight to its neighbours, less with each hop, and less to each the
/// more of them there are: what refers to everything says little about any of it. A neighbour takes
/// more of it if the words of the request are in it, too.
final class Navigation {

  private static final int CANDIDATES = 80;
  private static final int SEEDS = 12;
  private static final int HOPS = 2;
  private static final double DECAY = 0.5;
  private static final double BACKWARDS = 0.7;
  private static final double NAMED = 1.5;

  /// What counts is what a file says that it is about; how often it has the words decides the rest.
  private static final double SAID = 0.8;

  /// Of the weight, for a neighbour without any word of the request.
  private static final double WORDLESS = 0.2;

  private final StrategyCall call;
  private final WorkspaceView files;
  private final Map<String, Double> words = new HashMap<>();
  private final Ranking ranking = new Ranking();
  private final SortedSet<String> named;

  Navigation(StrategyCall call) {
    this.call = call;
    files = call.workspace();
    var query = call.request().query();
    named = new NamedFiles(files).of(new Question(query));
    var hits = files.search(query, CANDIDATES);
    var affinity = new Affinity(files, files.terms(query));
    for (Hit hit : hits) {
      double said = files.file(hit.path()).map(affinity::of).orElse(0.0);
      double word = (1 - SAID) * hit.score() / hits.getFirst().score() + SAID * said;
      words.put(hit.path(), word);
      ranking.add(hit.path(), word, "");
    }
    named.forEach(path -> ranking.add(path, NAMED, "is named in the request"));
  }

  List<Ranking.Ranked> best(int most) {
    var frontier = ranking.best(SEEDS);
    double decay = DECAY;
    for (int hop = 1; hop <= HOPS; hop++) {
      call.cancellation().throwIfCancelled();
      var reached = new Ranking();
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
      Ranking.Ranked from, double part, Set<String> neighbours, String because, Ranking reached) {
    double each = part * from.value() / Math.sqrt(1.0 + neighbours.size());
    for (String neighbour : neighbours) {
      double word = WORDLESS + (1 - WORDLESS) * words.getOrDefault(neighbour, 0.0);
      ranking.add(neighbour, each * word, because);
      reached.add(neighbour, each * word, because);
    }
  }

  /// How much the beginning of the walk has to do with the request: the part of its terms that the
  /// best of the files has that it began with; all if a file was named.
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
