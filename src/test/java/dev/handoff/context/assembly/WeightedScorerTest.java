package dev.handoff.context.assembly;

import static dev.handoff.context.assembly.Made.fragment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.handoff.context.Depth;
import dev.handoff.context.DepthResolver.Candidate;
import dev.handoff.context.Found;
import dev.handoff.context.Fragment;
import dev.handoff.context.Scorer.Scored;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The scorer")
class WeightedScorerTest {

  private static final Instant MONDAY = Instant.parse("2026-11-16T08:00:00Z");
  private static final Offset<Double> EXACT = within(1e-9);

  @Test
  void weighsRelevance_hierarchy_qualityAndRecency() {
    var score = score(Found.of(fragment("a/b", "one", 1, Depth.FULL))).getFirst().score();

    assertThat(score.relevance()).isEqualTo(0.8, EXACT);
    assertThat(score.total())
        .isEqualTo(
            0.4 * score.relevance()
                + 0.3 * score.hierarchy()
                + 0.2 * score.quality()
                + 0.1 * score.recency(),
            EXACT);
  }

  @Test
  void thinksMoreOfWhatSeveralHaveFound() {
    var both = Found.of(fragment("a", "one", 0.5, Depth.FULL));
    var other = Found.of(fragment("a", "two", 1, Depth.FULL));

    var scored = score(both.and(other)).getFirst().score();

    assertThat(scored.relevance()).isEqualTo(1 - (1 - 0.5 * 0.8) * (1 - 0.3), EXACT);
  }

  @Test
  void halvesItsTrustInAnUnknownStrategy() {
    var scored = score(Found.of(fragment("a", "unheard-of", 1, Depth.FULL)));

    assertThat(scored.getFirst().score().relevance()).isEqualTo(0.5, EXACT);
  }

  @Test
  void prefersTheNewer_ofWhatIsOtherwiseTheSame() {
    var old = Made.with(fragment("a", "one", 0.5, Depth.FULL), 0.5, MONDAY);
    var newer =
        Made.with(fragment("b", "one", 0.5, Depth.FULL), 0.5, MONDAY.plus(Duration.ofDays(30)));

    var scored = score(Found.of(old), Found.of(newer));

    assertThat(scored).extracting(WeightedScorerTest::resource).containsExactly("b", "a");
    assertThat(scored).extracting(one -> one.score().recency()).containsExactly(1.0, 0.5);
  }

  @Test
  void doesNotCareInWhichOrderTheFilesOfACheckoutWereWritten() {
    var first = Made.with(fragment("a", "one", 0.51, Depth.FULL), 0.5, MONDAY);
    var last = Made.with(fragment("b", "one", 0.5, Depth.FULL), 0.5, MONDAY.plusSeconds(60));

    assertThat(score(Found.of(first), Found.of(last)))
        .extracting(WeightedScorerTest::resource)
        .containsExactly("a", "b");
  }

  @Test
  void isUndecidedOfWhatHasNoTime() {
    assertThat(score(Found.of(fragment("a", "one", 0.5, Depth.FULL))).getFirst().score().recency())
        .isEqualTo(0.5);
  }

  @Test
  void prefersTheBetter_ofWhatIsOtherwiseTheSame() {
    var poor = Made.with(fragment("a", "one", 0.5, Depth.FULL), 0.1, MONDAY);
    var good = Made.with(fragment("b", "one", 0.5, Depth.FULL), 0.9, MONDAY);

    assertThat(score(Found.of(poor), Found.of(good)))
        .extracting(WeightedScorerTest::resource)
        .containsExactly("b", "a");
  }

  @Test
  void prefersWhatStandsBesideOtherThingsThatWereFound() {
    var alone = Found.of(fragment("x/alone", "one", 0.5, Depth.FULL));
    var beside = Found.of(fragment("y/beside", "one", 0.5, Depth.FULL));
    var best = Found.of(fragment("y/best", "one", 1, Depth.FULL));

    assertThat(score(alone, beside, best))
        .extracting(WeightedScorerTest::resource)
        .containsExactly("y/best", "y/beside", "x/alone");
  }

  @Test
  void ordersEqualOnesByName() {
    var a = Found.of(fragment("a", "one", 0.5, Depth.FULL));
    var b = Found.of(fragment("b", "one", 0.5, Depth.FULL));

    assertThat(score(b, a)).extracting(WeightedScorerTest::resource).containsExactly("a", "b");
    assertThat(score()).isEmpty();
  }

  private static String resource(Scored scored) {
    Fragment fragment = scored.candidate().found().fragment();
    return fragment.resource();
  }

  private static List<Scored> score(Found... found) {
    return new WeightedScorer()
        .score(
            Arrays.stream(found).map(one -> new Candidate(one, Depth.FULL)).toList(),
            Map.of("one", 0.8, "two", 0.3));
  }
}
