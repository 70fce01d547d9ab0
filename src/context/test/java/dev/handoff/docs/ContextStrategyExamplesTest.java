package dev.handoff.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.ScoreReport;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.ContextRequest;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An example of the page about strategies")
class ContextStrategyExamplesTest {

  @TempDir private Path root;

  @Test
  void thatReadsAGlossaryFindsItsEntries() throws IOException {
    Files.writeString(root.resolve("words.txt"), "till: holds the money\nbell: rings\n");

    try (var handoff =
        memory().strategy(new ContextStrategyExamples.Glossary("words.txt")).start()) {
      var found =
          assemble(handoff, ContextRequest.of("what is a till", root).strategies("glossary"));

      assertThat(found.fragments())
          .extracting(ContextFragment::text)
          .containsExactly("till: holds the money");
    }
  }

  @Test
  void thatAsksAModelFindsWhatItsVectorsAreNearTo() throws IOException {
    Files.writeString(root.resolve("cash.md"), "# Cash\n");
    Files.writeString(root.resolve("weather.md"), "# Rain\n");

    try (var handoff = memory().embedder(new ContextStrategyExamples.Model(new Money())).start()) {
      var request = ContextRequest.of("coins", root).strategies("semantic-embedding");

      assertThat(assemble(handoff, request).report().scores())
          .extracting(ScoreReport::resource)
          .first()
          .isEqualTo("cash.md");
    }
  }

  private static dev.handoff.HandoffBuilder memory() {
    return Handoff.builder().store(new StoreSettings.Memory());
  }

  private static Assembled assemble(Handoff handoff, ContextRequest request) {
    return handoff.assemble(request).toCompletableFuture().join().orThrow();
  }

  /// Embedding model with a single feature: whether a text is about money.
  private static final class Money implements EmbeddingModel {

    @Override
    public Response<List<Embedding>> embedAll(List<TextSegment> texts) {
      return Response.from(
          texts.stream()
              .map(text -> text.text().toLowerCase())
              .map(text -> text.contains("cash") || text.contains("coin"))
              .map(money -> Embedding.from(money ? new float[] {2, 0} : new float[] {0, 2}))
              .toList());
    }

    @Override
    public int dimension() {
      return 2;
    }

    @Override
    public String modelName() {
      return "money-1";
    }
  }
}
