package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.chosen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.PipelinePart.BudgetAllocator.Share;
import dev.handoff.context.PipelinePart.StrategySelector.Chosen;
import dev.handoff.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The allocator")
class ProportionalAllocatorTest {

  @Test
  void sharesOutByConfidence() {
    assertThat(shares(1_750, chosen("a", 0.85), chosen("b", 0.6), chosen("c", 0.3)))
        .containsExactly(850, 600, 300);
  }

  @Test
  void givesASingleOneAll() {
    assertThat(shares(1_000, chosen("a", 0.1))).containsExactly(1_000);
  }

  @Test
  void givesNoneOfSeveralMoreThanThreeFifths_andTheRestToTheOthers() {
    assertThat(shares(1_000, chosen("a", 0.9), chosen("b", 0.06), chosen("c", 0.04)))
        .containsExactly(600, 240, 160);
  }

  @Test
  void givesNobodyAnything_ifThereIsNobody() {
    assertThat(shares(1_000)).isEmpty();
  }

  @Test
  void neverGivesMoreThanThereIs() {
    RandomSeeds.each(
        1_000,
        random -> {
          var some = new ArrayList<Chosen>();
          for (int i = 0; i <= random.nextInt(10); i++) {
            some.add(chosen("s" + i, 0.05 + 0.95 * random.nextDouble()));
          }
          int pool = random.nextInt(100_000);

          var shares = shares(pool, some.toArray(Chosen[]::new));

          assertThat(shares.stream().mapToInt(Integer::intValue).sum())
              .isBetween(pool - some.size(), pool);
          assertThat(shares).allMatch(share -> share >= 0);
        });
  }

  private static List<Integer> shares(int pool, Chosen... chosen) {
    return new ProportionalAllocator()
        .allocate(pool, List.of(chosen)).stream().map(Share::tokens).toList();
  }
}
