package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.ChainVerdict;
import dev.handoff.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whatever is altered in a chain")
class AlterationsTest {

  @Test
  void isFoundAtItsPlace() {
    var seen = new TreeMap<ChainAlteration, Integer>();

    RandomSeeds.each(
        400,
        random -> {
          var chains = chains(random);
          var head = chains.head();
          assertThat(chains.verify()).isInstanceOf(ChainVerdict.Intact.class);
          var kind = ChainAlteration.values()[random.nextInt(ChainAlteration.values().length)];

          var place = kind.alter(chains, random);

          var verdict = ChainVerifier.verify(chains.chain, head, chains.contents);
          assertThat(verdict).as(kind.name()).isInstanceOf(ChainVerdict.Altered.class);
          place.check(kind, (ChainVerdict.Altered) verdict);
          seen.merge(kind, 1, Integer::sum);
        });

    if (System.getProperty("handoff.seed") == null) {
      assertThat(seen).containsOnlyKeys(ChainAlteration.values());
    }
  }

  /// Only a head that was kept elsewhere reveals a chain that is consistently recomputed.
  @Test
  void isNotFoundIfAllOfItIsSealedAnewAndTheHeadToo() {
    RandomSeeds.each(
        50,
        random -> {
          var chains = chains(random);
          var kept = chains.head();
          int number = random.nextInt(chains.chain.size());

          var forged = forged(chains, number);

          assertThat(forged.verify()).isInstanceOf(ChainVerdict.Intact.class);
          assertThat(ChainVerifier.verify(forged.chain, kept, forged.contents))
              .isInstanceOf(ChainVerdict.Altered.class);
        });
  }

  private static ChainSamples chains(Random random) {
    var chains = new ChainSamples();
    int sets = 3 + random.nextInt(4);
    for (int set = 0; set < sets; set++) {
      var edits = new ArrayList<ChainSamples.Edit>();
      int count = 2 + random.nextInt(5);
      for (int i = 0; i < count; i++) {
        edits.add(
            ChainSamples.edit(
                "dir/file " + random.nextInt(8),
                random.nextInt(4) == 0 ? null : "before " + random.nextInt(20),
                "after " + random.nextInt(20)));
      }
      chains.commit("c" + set, edits, random.nextInt(3));
    }
    return chains;
  }

  /// Chain with another path in one changeset, and all later hashes recomputed.
  private static ChainSamples forged(ChainSamples chains, int number) {
    var forged = new ChainSamples();
    for (int set = 0; set < chains.chain.size(); set++) {
      var edits = new ArrayList<ChainSamples.Edit>();
      for (var entry : chains.bodies.get(set).entries()) {
        edits.add(
            ChainSamples.edit(
                set == number ? "forged" : entry.path(),
                entry.before() == null ? null : chains.contents.text(entry.before()),
                chains.contents.text(entry.after())));
      }
      forged.commit("c" + set, edits, chains.bodies.get(set).decisions().size());
    }
    return forged;
  }

  /// Place where an alteration must be found.
  ///
  /// @param changeset null = no changeset is left
  /// @param entries acceptable entry numbers; empty = no entry is named
  record Place(String changeset, List<Integer> entries) {

    static Place set(String changeset) {
      return new Place(changeset, List.of());
    }

    static Place entry(String changeset, int number) {
      return new Place(changeset, List.of(number));
    }

    void check(ChainAlteration kind, ChainVerdict.Altered altered) {
      assertThat(altered.changeset()).as(kind + ": " + altered).isEqualTo(changeset);
      if (entries.isEmpty()) {
        assertThat(altered.entry()).as(kind + ": " + altered).isNull();
      } else {
        assertThat(altered.entry()).as(kind + ": " + altered).isIn(entries);
      }
    }
  }
}
