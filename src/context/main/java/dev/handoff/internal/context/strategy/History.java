package dev.handoff.internal.context.strategy;

import dev.handoff.context.StrategyCall;
import dev.handoff.context.WorkspaceView;
import dev.handoff.context.WorkspaceView.Hit;
import dev.handoff.internal.context.workspace.TermFinder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Ranking of files by the newest commits that match a request.
///
/// A commit's weight has two parts: request terms in its message, rare terms more, and changed
/// files that match the query. The weight falls with age and with the number of changed files.
final class History {

  private static final int COMMITS = 500;
  private static final int SEEDS = 10;

  /// Larger commits are reformattings or renamings without information about single files.
  private static final int MOST_FILES = 60;

  private static final double TOGETHER = 0.5;

  /// Recency factor of the oldest commit.
  private static final double OLDEST = 0.5;

  private static final double LEAST_TRUST = 0.2;

  private static final int MOST_SUBJECT = 80;

  private final StrategyCall call;
  private final WorkspaceView files;
  private final Set<String> terms;
  private final List<WorkspaceView.GitCommit> commits;

  /// Request terms per commit message.
  private final List<Set<String>> told;

  private final Map<String, Double> rarities = new HashMap<>();
  private final Map<String, Double> seeds = new HashMap<>();

  History(StrategyCall call, Set<String> terms) {
    this.call = call;
    this.terms = terms;
    files = call.workspace();
    commits =
        files.commits(COMMITS).stream()
            .filter(commit -> !commit.files().isEmpty() && commit.files().size() <= MOST_FILES)
            .toList();
    call.cancellation().throwIfCancelled();
    var finder = new TermFinder(terms, files::terms);
    told = commits.stream().map(commit -> finder.in(commit.message())).toList();
    var hits = files.search(call.request().query(), SEEDS);
    for (Hit hit : hits) {
      seeds.put(hit.path(), hit.score() / hits.getFirst().score());
    }
  }

  List<FileRanking.Ranked> best(int most) {
    call.cancellation().throwIfCancelled();
    countRarities();
    var ranking = new FileRanking();
    for (int age = 0; age < commits.size(); age++) {
      double recency = 1 - (1 - OLDEST) * age / commits.size();
      dig(commits.get(age), told.get(age), recency, ranking);
    }
    return ranking.best(most);
  }

  private void countRarities() {
    var counts = new HashMap<String, Integer>();
    told.forEach(some -> some.forEach(term -> counts.merge(term, 1, Integer::sum)));
    counts.forEach(
        (term, count) -> rarities.put(term, Math.log(1 + (double) commits.size() / count)));
  }

  /// Match of the history with the request: the best commit message's fraction of the request
  /// terms.
  double trust() {
    int most = told.stream().mapToInt(Set::size).max().orElse(0);
    return terms.isEmpty() ? 0 : LEAST_TRUST + (1 - LEAST_TRUST) * most / terms.size();
  }

  private void dig(
      WorkspaceView.GitCommit commit, Set<String> told, double recency, FileRanking ranking) {
    var present = new HashSet<>(commit.files());
    present.retainAll(files.paths());
    double spread = recency / Math.sqrt(commit.files().size());
    double words = told.stream().sorted().mapToDouble(rarities::get).sum() * spread;
    // A single common word occurs in too many messages.
    if (told.size() > 1 || told.size() == terms.size()) {
      var because = "changed by \"%s\"".formatted(subject(commit));
      present.forEach(path -> ranking.add(path, words * words, because));
    }
    for (String seed : commit.files()) {
      double weight = TOGETHER * spread * seeds.getOrDefault(seed, 0.0);
      if (weight > 0) {
        var because = "changed together with " + seed.substring(seed.lastIndexOf('/') + 1);
        present.stream()
            .filter(path -> !path.equals(seed))
            .forEach(path -> ranking.add(path, weight, because));
      }
    }
  }

  private static String subject(WorkspaceView.GitCommit commit) {
    var line = commit.message().strip().lines().findFirst().orElse("");
    return line.length() <= MOST_SUBJECT ? line : line.substring(0, MOST_SUBJECT) + "…";
  }
}
