package dev.handoff.bench;

import dev.handoff.bench.ContextQuestions.Question;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.context.strategy.BuiltInStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Recall of each strategy: the fraction of a question's expected files that it finds.
final class ContextQuality {

  private static final int FIRST = 10;

  private final WorkspaceView view;
  private final List<Question> questions;

  ContextQuality(WorkspaceView view, List<Question> questions) {
    this.view = view;
    this.questions = questions;
  }

  /// Mean recall at 10 over a set of questions.
  record Recall(String name, double all, double known, double aside) {}

  interface Finder {
    List<String> find(String question) throws Exception;
  }

  Recall of(String name, Finder finder, boolean show) throws Exception {
    double[] sums = new double[2];
    int[] counts = new int[2];
    for (var question : questions) {
      var found = finder.find(question.words());
      double recall = question.recall(found, FIRST);
      int place = question.aside() ? 1 : 0;
      sums[place] += recall;
      counts[place]++;
      if (show && recall < 1 && !question.aside()) {
        System.out.printf("%s: %.2f %s%n", name, recall, question.words());
        question
            .files()
            .forEach(file -> System.out.println("    " + (found.indexOf(file) + 1) + "  " + file));
        found.stream().limit(FIRST).forEach(file -> System.out.println("       - " + file));
      }
    }
    return new Recall(
        name,
        (sums[0] + sums[1]) / (counts[0] + counts[1]),
        sums[0] / counts[0],
        sums[1] / counts[1]);
  }

  List<Recall> ofEach(String show) throws Exception {
    var recalls = new ArrayList<Recall>();
    for (var strategy : strategies().values()) {
      recalls.add(
          of(strategy.name(), words -> find(strategy, words), show.equals(strategy.name())));
    }
    return recalls;
  }

  static Map<String, Strategy> strategies() {
    var strategies = new TreeMap<String, Strategy>();
    BuiltInStrategies.all().forEach(one -> strategies.put(one.name(), one));
    return strategies;
  }

  private List<String> find(Strategy strategy, String words) throws Exception {
    var call =
        new Call(ContextRequest.of(words, view.root()), view, new CancellationSource().token());
    return strategy.gather(call).toCompletableFuture().get().stream()
        .map(Fragment::resource)
        .toList();
  }

  /// Call without breakers or deadlines.
  private record Call(
      ContextRequest request, WorkspaceView workspace, CancellationToken cancellation)
      implements StrategyCall {

    @Override
    public int share() {
      return request.budget().pool();
    }

    @Override
    public CompletionStage<List<Fragment>> ask(ContextRequest other, Set<String> names) {
      var found = new ArrayList<Fragment>();
      for (String name : new java.util.TreeSet<>(names)) {
        try {
          found.addAll(
              strategies()
                  .get(name)
                  .gather(new Call(other, workspace, cancellation))
                  .toCompletableFuture()
                  .get());
        } catch (Exception failure) {
          return CompletableFuture.failedStage(failure);
        }
      }
      return CompletableFuture.completedStage(found);
    }
  }
}
