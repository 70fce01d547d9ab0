package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A list whose versions share what they can")
class PersistentListTest {

  /// Version of a list, with its expected content.
  private record Version(PersistentList<Integer> list, List<Integer> model) {}

  @Test
  void staysWhatItIsWhateverIsMadeOfIt() {
    RandomSeeds.each(
        50,
        random -> {
          var versions = new ArrayList<Version>();
          versions.add(new Version(PersistentList.of(List.of()), List.of()));
          for (int number = 0; number < 60; number++) {
            var from = versions.get(random.nextInt(versions.size()));
            var model = new ArrayList<>(from.model());
            if (model.isEmpty() || random.nextBoolean()) {
              var more = random.ints(random.nextInt(200)).boxed().toList();
              model.addAll(more);
              versions.add(new Version(from.list().plus(more), model));
            } else {
              int place = random.nextInt(model.size());
              model.set(place, number);
              versions.add(new Version(from.list().with(place, number), model));
            }
          }

          assertThat(versions)
              .allSatisfy(version -> assertThat(version.list()).isEqualTo(version.model()));
        });
  }

  @Test
  void isTakenAsItIsWhereverOneIsWanted() {
    var list = PersistentList.of(List.of(1, 2));

    assertThat(PersistentList.from(list)).isSameAs(list);
    assertThat(PersistentList.from(List.of(1, 2))).isEqualTo(list);
  }

  @Test
  void cannotBeChanged() {
    var list = PersistentList.of(List.of(1));

    assertThatThrownBy(() -> list.set(0, 2)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> list.with(1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
