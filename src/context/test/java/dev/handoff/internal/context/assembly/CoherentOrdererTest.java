package dev.handoff.internal.context.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.ContextFragment;
import dev.handoff.context.SearchDepth;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The orderer")
class CoherentOrdererTest {

  @Test
  void keepsNeighboursTogether_theBestFirst_andNamesLast() {
    var ordered =
        new CoherentOrderer()
            .order(
                List.of(
                    one("x/first", 0.9, SearchDepth.FULL),
                    one("y/second", 0.8, SearchDepth.OUTLINE),
                    one("x/name", 0.75, SearchDepth.NAME),
                    one("x/third", 0.7, SearchDepth.MATCHED),
                    one("top", 0.6, SearchDepth.FULL),
                    one("y/fourth", 0.8, SearchDepth.FULL)));

    assertThat(ordered)
        .extracting(ContextFragment::resource)
        .containsExactly("x/first", "x/third", "y/fourth", "y/second", "top", "x/name");
  }

  private static ContextFragment one(String resource, double score, SearchDepth depth) {
    return new ContextFragment(resource, "s", depth, 10, score, "text");
  }
}
