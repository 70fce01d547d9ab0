package dev.handoff.internal.context.assembly;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.handoff.context.TokenCounter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Test data for the pipeline.
final class PipelineSamples {

  static final ContextRequest REQUEST = ContextRequest.of("claims", Path.of("."));

  /// Token counter whose tokens are words, which are easy to count by hand.
  static final TokenCounter WORDS = text -> text.isBlank() ? 0 : text.strip().split("\\s+").length;

  private PipelineSamples() {}

  static Fragment fragment(
      String resource, String strategy, double relevance, SearchDepth... depths) {
    var texts = new TreeMap<SearchDepth, String>();
    for (var depth : depths) {
      texts.put(depth, words(resource, depth.number() * 10 + 10));
    }
    return new Fragment(resource, strategy, texts, relevance, 0.5, null, "");
  }

  static Fragment with(Fragment fragment, double quality, @Nullable Instant modified) {
    return new Fragment(
        fragment.resource(),
        fragment.strategy(),
        fragment.texts(),
        fragment.relevance(),
        quality,
        modified,
        fragment.because());
  }

  /// Text of this number of words, unique to the resource.
  static String words(String resource, int count) {
    var words = IntStream.range(0, count).mapToObj(number -> resource + number).toList();
    return String.join(" ", words);
  }

  static PipelinePart.Scorer.Scored scored(Fragment fragment, double total) {
    var candidate =
        new PipelinePart.DepthResolver.Candidate(
            Fragment.Found.of(fragment), fragment.texts().lastKey());
    return new PipelinePart.Scorer.Scored(
        candidate,
        new PipelinePart.Scorer.Score(total, fragment.relevance(), 0.5, fragment.quality(), 0.5));
  }

  static PipelinePart.StrategySelector.Candidate on(Strategy strategy) {
    return new PipelinePart.StrategySelector.Candidate(strategy, true);
  }

  static PipelinePart.StrategySelector.Candidate off(Strategy strategy) {
    return new PipelinePart.StrategySelector.Candidate(strategy, false);
  }

  static PipelinePart.StrategySelector.Chosen chosen(String name, double confidence) {
    return new PipelinePart.StrategySelector.Chosen(
        new Fixed(name, confidence, List.of()), confidence);
  }

  static Map<String, Integer> shares(Object... namesAndTokens) {
    var shares = new TreeMap<String, Integer>();
    for (int i = 0; i < namesAndTokens.length; i += 2) {
      shares.put((String) namesAndTokens[i], (Integer) namesAndTokens[i + 1]);
    }
    return shares;
  }

  /// Strategy with a fixed result.
  record Fixed(String name, double sure, List<Fragment> fragments) implements Strategy {
    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      return sure;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) {
      return CompletableFuture.completedStage(fragments);
    }
  }
}
