package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.handoff.context.Embedder;
import dev.handoff.context.WorkspaceView;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An embedder")
class EmbedderTest {

  private final Embedder hashed = new HashedEmbedder();

  @TempDir Path root;

  private record Made(Function<String, float[]> vectors) implements Embedder {
    @Override
    public String id() {
      return "made";
    }

    @Override
    public int dimensions() {
      return 3;
    }

    @Override
    public float[] embed(String text) {
      return vectors.apply(text);
    }
  }

  private static double cosine(float[] one, float[] other) {
    double sum = 0;
    for (int at = 0; at < one.length; at++) {
      sum += one[at] * other[at];
    }
    return sum;
  }

  private double alike(String one, String other) {
    return cosine(hashed.embed(one), hashed.embed(other));
  }

  @Test
  void withoutAModelMakesVectorsOfLengthOne() {
    assertThat(alike("some words", "some words")).isCloseTo(1, within(1e-5));
    assertThat(hashed.embed("some words")).hasSize(hashed.dimensions());
    assertThat(hashed.embed("")).containsOnly(0);
    assertThat(hashed.embed("some words")).isEqualTo(new HashedEmbedder().embed("some words"));
  }

  @Test
  void withoutAModelPutsAlikeTextsNear() {
    double same = alike("how a job is claimed by a worker", "workers claiming jobs");
    double akin = alike("serialization of payloads", "serializer for a payload");
    double other = alike("how a job is claimed by a worker", "colours of the dashboard");

    assertThat(same).isGreaterThan(0.6);
    assertThat(akin).isGreaterThan(0.4);
    assertThat(other).isLessThan(0.3);
  }

  private WorkspaceView view(Function<String, float[]> vectors) {
    return IndexViews.of(IndexViews.sources(root, "", InstantSource.system(), new Made(vectors)));
  }

  private void assertHasNoVectors(Function<String, float[]> vectors) {
    IndexViews.write(root, "a.txt", "words");

    try (var view = view(vectors)) {
      assertThat(view.search("words", 1)).hasSize(1);
      assertThat(view.nearest("words", 1)).isEmpty();
      assertThat(view.notes()).hasSize(1);
      assertThat(view.notes().getFirst()).contains("without vectors").contains("a.txt");
    }
  }

  @Test
  void thatIsBrokenLeavesAPassageWithoutAVector() {
    assertHasNoVectors(
        text -> {
          throw new IllegalStateException("no model");
        });
    assertHasNoVectors(
        text -> {
          throw new NoClassDefFoundError("no library");
        });
    assertHasNoVectors(text -> null);
    assertHasNoVectors(text -> new float[] {1, 0});
    assertHasNoVectors(text -> new float[] {Float.NaN, 0, 0});
    assertHasNoVectors(text -> new float[] {Float.POSITIVE_INFINITY, 0, 0});
    assertHasNoVectors(text -> new float[] {Float.MIN_VALUE, 0, 0});
  }

  @Test
  void thatFailsForOnePassageCostsThatPassageAlone() {
    IndexViews.write(root, "a.txt", "fine");
    IndexViews.write(root, "b.txt", "poison");

    try (var view = view(text -> text.contains("poison") ? new float[0] : new float[] {0, 1, 0})) {
      assertThat(view.nearest("fine", 9)).extracting("path").containsExactly("a.txt");
      assertThat(view.nearest("poison", 9)).isEmpty();
      assertThat(view.notes()).hasSize(1);
    }
  }

  @Test
  void mayGiveVectorsOfAnyLengthOrNone() {
    IndexViews.write(root, "a.txt", "long");
    IndexViews.write(root, "b.txt", "none");

    try (var view = view(text -> text.contains("none") ? new float[3] : new float[] {0, 30, 40})) {
      assertThat(view.notes()).isEmpty();
      assertThat(view.nearest("long", 9)).hasSize(1);
      assertThat(view.nearest("long", 9).getFirst().score()).isCloseTo(1, within(1e-3));
      assertThat(view.nearest("none", 9)).isEmpty();
    }
  }
}
