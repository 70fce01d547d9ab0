package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.fragment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart.DepthResolver.Candidate;
import dev.handoff.context.PipelinePart.Scorer.Scored;
import dev.handoff.context.SearchDepth;
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
    var score =
        score(Fragment.Found.of(fragment("a/b", "one", 1, SearchDepth.FULL))).getFirst().score();

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
    var both = Fragment.Found.of(fragment("a", "one", 0.5, SearchDepth.FULL));
    var other = Fragment.Found.of(fragment("a", "two", 1, SearchDepth.FULL));

    var scored = score(both.and(other)).getFirst().score();

    assertThat(scored.relevance()).isEqualTo(1 - (1 - 0.5 * 0.8) * (1 - 0.3), EXACT);
  }

  @Test
  void halvesItsTrustInAnUnknownStrategy() {
    var scored = score(Fragment.Found.of(fragment("a", "unheard-of", 1, SearchDepth.FULL)));

    assertThat(scored.getFirst().score().relevance()).isEqualTo(0.5, EXACT);
  }

  @Test
  void prefersTheNewer_ofWhatIsOtherwiseTheSame() {
    var old = PipelineSamples.with(fragment("a", "one", 0.5, SearchDepth.FULL), 0.5, MONDAY);
    var newer =
        PipelineSamples.with(
            fragment("b", "one", 0.5, SearchDepth.FULL), 0.5, MONDAY.plus(Duration.ofDays(30)));

    var scored = score(Fragment.Found.of(old), Fragment.Found.of(newer));

    assertThat(scored).extracting(WeightedScorerTest::resource).containsExactly("b", "a");
    assertThat(scored).extracting(one -> one.score().recency()).containsExactly(1.0, 0.5);
  }

  @Test
  void doesNotCareInWhichOrderTheFilesOfACheckoutWereWritten() {
    var first = PipelineSamples.with(fragment("a", "one", 0.51, SearchDepth.FULL), 0.5, MONDAY);
    var last =
        PipelineSamples.with(
            fragment("b", "one", 0.5, SearchDepth.FULL), 0.5, MONDAY.plusSeconds(60));

    assertThat(score(Fragment.Found.of(first), Fragment.Found.of(last)))
        .extracting(WeightedScorerTest::resource)
        .containsExactly("a", "b");
  }

  @Test
  void isUndecidedOfWhatHasNoTime() {
    assertThat(
            score(Fragment.Found.of(fragment("a", "one", 0.5, SearchDepth.FULL)))
                .getFirst()
                .score()
                .recency())
        .isEqualTo(0.5);
  }

  @Test
  void prefersTheBetter_ofWhatIsOtherwiseTheSame() {
    var poor = PipelineSamples.with(fragment("a", "one", 0.5, SearchDepth.FULL), 0.1, MONDAY);
    var good = PipelineSamples.with(fragment("b", "one", 0.5, SearchDepth.FULL), 0.9, MONDAY);

    assertThat(score(Fragment.Found.of(poor), Fragment.Found.of(good)))
        .extracting(WeightedScorerTest::resource)
        .containsExactly("b", "a");
  }

  @Test
  void prefersWhatStandsBesideOtherThingsThatWereFound() {
    var alone = Fragment.Found.of(fragment("x/alone", "one", 0.5, SearchDepth.FULL));
    var beside = Fragment.Found.of(fragment("y/beside", "one", 0.5, SearchDepth.FULL));
    var best = Fragment.Found.of(fragment("y/best", "one", 1, SearchDepth.FULL));

    assertThat(score(alone, beside, best))
        .extracting(WeightedScorerTest::resource)
        .containsExactly("y/best", "y/beside", "x/alone");
  }

  @Test
  void ordersEqualOnesByName() {
    var a = Fragment.Found.of(fragment("a", "one", 0.5, SearchDepth.FULL));
    var b = Fragment.Found.of(fragment("b", "one", 0.5, SearchDepth.FULL));

    assertThat(score(b, a)).extracting(WeightedScorerTest::resource).containsExactly("a", "b");
    assertThat(score()).isEmpty();
  }

  private static String resource(Scored scored) {
    Fragment fragment = scored.candidate().found().fragment();
    return fragment.resource();
  }

  private static List<Scored> score(Fragment.Found... found) {
    return new WeightedScorer()
        .score(
            Arrays.stream(found).map(one -> new Candidate(one, SearchDepth.FULL)).toList(),
            Map.of("one", 0.8, "two", 0.3));
  }
}
