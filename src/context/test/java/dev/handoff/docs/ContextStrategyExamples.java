package dev.handoff.docs;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Embedder;
import dev.handoff.context.Fragment;
import dev.handoff.context.SearchDepth;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import dev.langchain4j.model.embedding.EmbeddingModel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Examples quoted in `docs/context-strategies.md`.
public final class ContextStrategyExamples {

  private ContextStrategyExamples() {}

  // #glossary
  /// The entries of a glossary whose words are in the request.
  record Glossary(String path) implements Strategy {

    @Override
    public String name() {
      return "glossary";
    }

    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      return backends.contains(ContextRequest.Backend.FILES) ? 0.7 : 0;
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) {
      var asked = call.workspace().terms(call.request().query());
      var found =
          call.workspace().file(path).stream()
              .flatMap(file -> file.text().lines())
              .filter(entry -> entry.contains(":"))
              .filter(entry -> asked.containsAll(call.workspace().terms(entry.split(":")[0])))
              .map(
                  entry ->
                      Fragment.of(
                          path + "#" + entry.split(":")[0], name(), SearchDepth.FULL, entry, 1))
              .toList();
      return CompletableFuture.completedStage(found);
    }
  }

  // #glossary

  // #model
  /// Vectors of any model of LangChain4j.
  record Model(EmbeddingModel model) implements Embedder {

    @Override
    public String id() {
      return model.modelName().replaceAll("[^A-Za-z0-9._:-]", "-");
    }

    @Override
    public int dimensions() {
      return model.dimension();
    }

    @Override
    public float[] embed(String text) {
      var embedding = model.embed(text).content();
      embedding.normalize();
      return embedding.vector();
    }
  }

  // #model
}
