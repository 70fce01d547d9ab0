package dev.handoff.internal.context.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.SearchDepth;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Arce")
class ArceTest {

  private final HandView view =
      new HandView()
          .file("a/Till.java", "package a; /// Counts money.\nclass Till {}")
          .file("b/Report.md", "# Report\n\nThe `Till` is emptied at night.");

  private final CancellationSource stop = new CancellationSource();
  private final List<ContextRequest> asked = new ArrayList<>();
  private final List<Set<String>> whom = new ArrayList<>();

  @Test
  void asksAgainWithTheNamesOfWhatWasFoundUntilNothingChanges() {
    var found = gather(new Arce(), request -> List.of(found("a/Till.java", 1)));

    assertThat(asked).extracting(ContextRequest::query).containsExactly("money", "money Till");
    assertThat(CalledStrategy.resources(found)).containsExactly("a/Till.java");
    assertThat(found.getFirst().because())
        .isEqualTo("semantic-embedding, round 1 of 2: it is there");
    assertThat(found.getFirst().strategy()).isEqualTo("arce");
  }

  @Test
  void findsWhatOnlyTheNamesLeadTo() {
    var bench = new StrategyBench(view);

    assertThat(bench.resources("simple-keyword", "money")).doesNotContain("b/Report.md");
    assertThat(bench.resources("arce", "money")).startsWith("a/Till.java").contains("b/Report.md");
  }

  @Test
  void stopsAfterItsLastRoundIfItNeverSettles() {
    var found = gather(new Arce(), request -> List.of(found("new" + asked.size() + ".md", 1)));

    assertThat(asked).hasSize(Arce.MAX_ROUNDS);
    assertThat(CalledStrategy.resources(found))
        .containsExactly("new1.md", "new2.md", "new3.md", "new4.md");
  }

  @Test
  void stopsBetweenRoundsWhenItIsCancelled() {
    var found =
        gather(
            new Arce(),
            request -> {
              stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "enough", "test"));
              return List.of(found("new" + asked.size() + ".md", 1));
            });

    assertThat(asked).hasSize(1);
    assertThat(CalledStrategy.resources(found)).containsExactly("new1.md");
  }

  @Test
  void asksForTheHistoryOnlyWhereThereIsOne() {
    gather(new Arce(), request -> List.of());
    view.commit("a", "a/Till.java");
    gather(new Arce(), request -> List.of());

    assertThat(whom.getFirst()).doesNotContain("temporal-archaeology", "arce").hasSize(3);
    assertThat(whom.getLast()).contains("temporal-archaeology").doesNotContain("arce");
  }

  @Test
  void findsNothingWhereNobodyFindsAnything() {
    assertThat(gather(new Arce(), request -> List.of())).isEmpty();
    assertThat(asked).hasSize(1);
  }

  @Test
  void failsWithWhomItAsks() {
    CompletionStage<List<Fragment>> failed =
        CompletableFuture.failedStage(new IllegalStateException("no"));
    var call = new CalledStrategy(request(), view, stop.token(), (request, names) -> failed);

    Assertions.assertThatThrownBy(() -> CalledStrategy.gather(new Arce(), call))
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("no");
  }

  private interface Answer {
    List<Fragment> to(ContextRequest request);
  }

  private static ContextRequest request() {
    return ContextRequest.of("money", Path.of("/hand"));
  }

  private List<Fragment> gather(Arce arce, Answer answer) {
    return CalledStrategy.gather(
        arce,
        new CalledStrategy(
            request(),
            view,
            stop.token(),
            (request, names) -> {
              asked.add(request);
              whom.add(names);
              return CompletableFuture.completedStage(answer.to(request));
            }));
  }

  private static Fragment found(String resource, double relevance) {
    var one = Fragment.of(resource, "semantic-embedding", SearchDepth.FULL, "text", relevance);
    return new Fragment(resource, one.strategy(), one.texts(), relevance, 0.5, null, "it is there");
  }
}
