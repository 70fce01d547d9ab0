package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.fragment;
import static dev.handoff.internal.context.assembly.PipelineSamples.scored;
import static dev.handoff.internal.context.assembly.PipelineSamples.shares;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.ContextFragment;
import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.Scorer.Scored;
import dev.handoff.context.SearchDepth;
import dev.handoff.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// A fragment of [PipelineSamples] has 30 words at depth 2, 50 at depth 4 and 100 at depth 9, plus
/// a heading.
@DisplayName("The packer")
class GreedyPackerTest {

  private static final SearchDepth[] ALL = {
    SearchDepth.NAME, SearchDepth.OUTLINE, SearchDepth.MATCHED, SearchDepth.FULL
  };

  @Test
  void showsAllOfWhatFits() {
    var sifted = pack(1_000, scored(fragment("a", "s", 0.9, ALL), 0.9));

    assertThat(sifted.kept()).extracting(ContextFragment::depth).containsExactly(SearchDepth.FULL);
    assertThat(sifted.kept().getFirst().tokens()).isEqualTo(105);
    assertThat(sifted.leftOut()).isEmpty();
  }

  @Test
  void fallsBackThroughTheDepths_beforeItLeavesSomethingOut() {
    var texts = fragment("a", "s", 0.9, ALL).texts();
    var named =
        new Fragment("a name of eight words, headings have more", "s", texts, 1, 1, null, "");
    var one = scored(named, 0.9);

    assertThat(depth(pack(112, one))).isEqualTo(SearchDepth.FULL);
    assertThat(depth(pack(111, one))).isEqualTo(SearchDepth.MATCHED);
    assertThat(depth(pack(62, one))).isEqualTo(SearchDepth.OUTLINE);
    assertThat(depth(pack(39, one))).isEqualTo(SearchDepth.NAME);
    assertThat(pack(9, one).kept()).isEmpty();
    assertThat(pack(9, one).leftOut())
        .extracting(PipelinePart.Result.LeftOut::reason)
        .containsExactly("it takes at least 10 tokens, and 9 were left");
  }

  @Test
  void saysWhatWouldHaveBeenNeeded_andNotWhatIsTooLittleAnyway() {
    var one = scored(fragment("a", "s", 0.9, SearchDepth.NAME, SearchDepth.FULL), 0.9);

    assertThat(pack(60, one).leftOut())
        .extracting(PipelinePart.Result.LeftOut::reason)
        .containsExactly("it takes at least 105 tokens, and 60 were left");
  }

  @Test
  void takesTheBestFirst() {
    var sifted =
        pack(
            110,
            scored(fragment("a", "s", 0.5, SearchDepth.FULL), 0.5),
            scored(fragment("b", "s", 0.5, SearchDepth.FULL), 0.6));

    assertThat(sifted.kept()).extracting(ContextFragment::resource).containsExactly("b");
    assertThat(sifted.leftOut())
        .extracting(PipelinePart.Result.LeftOut::resource)
        .containsExactly("a");
  }

  @Test
  void breaksTiesByRelevance_depth_sizeAndName() {
    var relevant = scored(fragment("d", "s", 0.6, SearchDepth.OUTLINE), 0.5);
    var deep = scored(fragment("c", "s", 0.5, SearchDepth.FULL), 0.5);
    var small = scored(fragment("b", "s", 0.5, SearchDepth.OUTLINE), 0.5);
    var large = scored(with("a", 40), 0.5);
    var later = scored(fragment("e", "s", 0.5, SearchDepth.OUTLINE), 0.5);

    var sifted = pack(1_000, later, large, small, deep, relevant);

    assertThat(sifted.kept())
        .extracting(ContextFragment::resource)
        .containsExactly("d", "c", "b", "e", "a");
  }

  @Test
  void letsNoStrategyTakeTheShareOfAnother_whileThatHasSomethingToShow() {
    var packer = new GreedyPacker();
    var scored =
        List.of(
            scored(fragment("a", "greedy", 0.9, SearchDepth.FULL), 0.9),
            scored(fragment("b", "greedy", 0.9, SearchDepth.FULL), 0.8),
            scored(fragment("c", "modest", 0.2, SearchDepth.FULL), 0.2));

    var sifted =
        packer.pack(scored, shares("greedy", 110, "modest", 110), 220, PipelineSamples.WORDS);

    assertThat(sifted.kept()).extracting(ContextFragment::resource).containsExactly("a", "c");
  }

  @Test
  void letsAnyStrategyThatHasFoundItPay() {
    var both =
        Fragment.Found.of(fragment("b", "greedy", 0.8, SearchDepth.FULL))
            .and(Fragment.Found.of(fragment("b", "modest", 0.7, SearchDepth.FULL)));
    var scored =
        List.of(
            scored(fragment("a", "greedy", 0.9, SearchDepth.FULL), 0.9),
            new Scored(
                new PipelinePart.DepthResolver.Candidate(both, SearchDepth.FULL),
                scored(both.fragment(), 0.8).score()),
            scored(fragment("c", "modest", 0.2, SearchDepth.FULL), 0.2));

    var sifted =
        new GreedyPacker()
            .pack(scored, shares("greedy", 110, "modest", 110), 220, PipelineSamples.WORDS);

    assertThat(sifted.kept()).extracting(ContextFragment::resource).containsExactly("a", "b");
  }

  @Test
  void packsNamesAlone_onlyWhenAllElseHadItsTurn() {
    var named =
        new Fragment(
            "a name of eight words, headings have more",
            "s",
            fragment("a", "s", 0.9, ALL).texts(),
            1,
            1,
            null,
            "");
    var scored =
        List.of(scored(named, 0.9), scored(fragment("b", "t", 0.2, SearchDepth.FULL), 0.2));

    var sifted =
        new GreedyPacker().pack(scored, shares("s", 20, "t", 110), 130, PipelineSamples.WORDS);

    assertThat(sifted.kept())
        .extracting(ContextFragment::depth)
        .containsExactly(SearchDepth.FULL, SearchDepth.NAME);
  }

  @Test
  void givesWhatOneStrategyLeavesToTheOthers() {
    var scored =
        List.of(
            scored(fragment("a", "greedy", 0.9, SearchDepth.FULL), 0.9),
            scored(fragment("b", "greedy", 0.9, SearchDepth.FULL), 0.8));

    var sifted =
        new GreedyPacker()
            .pack(scored, shares("greedy", 110, "failed", 110), 220, PipelineSamples.WORDS);

    assertThat(sifted.kept()).extracting(ContextFragment::resource).containsExactly("a", "b");
  }

  @Test
  void showsMoreOfTheBest_withWhatIsLeft() {
    var shallow =
        new Scored(
            new PipelinePart.DepthResolver.Candidate(
                Fragment.Found.of(fragment("a", "s", 0.5, ALL)), SearchDepth.OUTLINE),
            scored(fragment("a", "s", 0.5, ALL), 0.5).score());

    assertThat(depth(pack(1_000, shallow))).isEqualTo(SearchDepth.FULL);
    assertThat(depth(pack(60, shallow))).isEqualTo(SearchDepth.MATCHED);
  }

  @Test
  void leavesOutWhatIsNotWorthItsHeading() {
    var tiny = scored(Fragment.of("a", "s", SearchDepth.OUTLINE, "two words", 0.9), 0.9);

    var sifted = pack(1_000, tiny);

    assertThat(sifted.kept()).isEmpty();
    assertThat(sifted.leftOut())
        .extracting(PipelinePart.Result.LeftOut::reason)
        .containsExactly("it has only 5 tokens, and 10 is the least");
  }

  @Test
  void neverTakesMoreThanThereIs_losesNothingSilently_andGivesTheSameForTheSame() {
    RandomSeeds.each(
        500,
        random -> {
          var scored = new ArrayList<Scored>();
          for (int i = 0; i < random.nextInt(40); i++) {
            scored.add(scored(random(i, random), random.nextInt(5) / 5.0));
          }
          int pool = random.nextInt(3_000);
          var shares = shares("x", random.nextInt(pool + 1), "y", random.nextInt(pool + 1));

          var sifted = new GreedyPacker().pack(scored, shares, pool, PipelineSamples.WORDS);

          assertThat(sifted.kept().stream().mapToInt(ContextFragment::tokens).sum())
              .isLessThanOrEqualTo(pool);
          assertThat(sifted.kept())
              .allMatch(one -> one.tokens() == PipelineSamples.WORDS.count(one.shown()));
          assertThat(sifted.kept().size() + sifted.leftOut().size()).isEqualTo(scored.size());
          Collections.shuffle(scored, random);
          assertThat(new GreedyPacker().pack(scored, shares, pool, PipelineSamples.WORDS))
              .isEqualTo(sifted);
        });
  }

  private static Fragment random(int number, Random random) {
    var texts = new TreeMap<SearchDepth, String>();
    for (var depth : SearchDepth.values()) {
      if (random.nextInt(3) > 0 || depth == SearchDepth.FULL) {
        texts.put(
            depth, PipelineSamples.words("r" + number, random.nextInt(depth.number() * 30 + 10)));
      }
    }
    return new Fragment(
        "r" + number,
        random.nextBoolean() ? "x" : "y",
        texts,
        random.nextInt(4) / 4.0,
        0.5,
        null,
        "");
  }

  private static Fragment with(String resource, int words) {
    return new Fragment(
        resource,
        "s",
        new TreeMap<>(Map.of(SearchDepth.OUTLINE, PipelineSamples.words(resource, words))),
        0.5,
        0.5,
        null,
        "");
  }

  private static SearchDepth depth(PipelinePart.Result<ContextFragment> sifted) {
    return sifted.kept().getFirst().depth();
  }

  private static PipelinePart.Result<ContextFragment> pack(int pool, Scored... scored) {
    return new GreedyPacker().pack(List.of(scored), shares("s", pool), pool, PipelineSamples.WORDS);
  }
}
