package dev.handoff.plan.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Seeds;
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
    var seen = new TreeMap<Alteration, Integer>();

    Seeds.each(
        400,
        random -> {
          var chains = chains(random);
          var head = chains.head();
          assertThat(chains.verify()).isInstanceOf(Verdict.Intact.class);
          var kind = Alteration.values()[random.nextInt(Alteration.values().length)];

          var place = kind.alter(chains, random);

          var verdict = Verify.verify(chains.chain, head, chains.contents);
          assertThat(verdict).as(kind.name()).isInstanceOf(Verdict.Altered.class);
          place.check(kind, (Verdict.Altered) verdict);
          seen.merge(kind, 1, Integer::sum);
        });

    if (System.getProperty("handoff.seed") == null) {
      assertThat(seen).containsOnlyKeys(Alteration.values());
    }
  }

  /// What no chain can tell by itself, and a head that was kept elsewhere can.
  @Test
  void isNotFoundIfAllOfItIsSealedAnewAndTheHeadToo() {
    Seeds.each(
        50,
        random -> {
          var chains = chains(random);
          var kept = chains.head();
          int number = random.nextInt(chains.chain.size());

          var forged = forged(chains, number);

          assertThat(forged.verify()).isInstanceOf(Verdict.Intact.class);
          assertThat(Verify.verify(forged.chain, kept, forged.contents))
              .isInstanceOf(Verdict.Altered.class);
        });
  }

  private static Chains chains(Random random) {
    var chains = new Chains();
    int sets = 3 + random.nextInt(4);
    for (int set = 0; set < sets; set++) {
      var edits = new ArrayList<Chains.Edit>();
      int count = 2 + random.nextInt(5);
      for (int i = 0; i < count; i++) {
        edits.add(
            Chains.edit(
                "dir/file " + random.nextInt(8),
                random.nextInt(4) == 0 ? null : "before " + random.nextInt(20),
                "after " + random.nextInt(20)));
      }
      chains.commit("c" + set, edits, random.nextInt(3));
    }
    return chains;
  }

  /// The same chain with another path in one of its sets, and all that follows made anew.
  private static Chains forged(Chains chains, int number) {
    var forged = new Chains();
    for (int set = 0; set < chains.chain.size(); set++) {
      var edits = new ArrayList<Chains.Edit>();
      for (var entry : chains.bodies.get(set).entries()) {
        edits.add(
            Chains.edit(
                set == number ? "forged" : entry.path(),
                entry.before() == null ? null : chains.contents.text(entry.before()),
                chains.contents.text(entry.after())));
      }
      forged.commit("c" + set, edits, chains.bodies.get(set).decisions().size());
    }
    return forged;
  }

  /// Where an alteration has to be found.
  ///
  /// @param changeset null = there is none left
  /// @param entries the numbers that may be named; empty = it is not of one entry
  record Place(String changeset, List<Integer> entries) {

    static Place set(String changeset) {
      return new Place(changeset, List.of());
    }

    static Place entry(String changeset, int number) {
      return new Place(changeset, List.of(number));
    }

    void check(Alteration kind, Verdict.Altered altered) {
      assertThat(altered.changeset()).as(kind + ": " + altered).isEqualTo(changeset);
      if (entries.isEmpty()) {
        assertThat(altered.entry()).as(kind + ": " + altered).isNull();
      } else {
        assertThat(altered.entry()).as(kind + ": " + altered).isIn(entries);
      }
    }
  }
}
