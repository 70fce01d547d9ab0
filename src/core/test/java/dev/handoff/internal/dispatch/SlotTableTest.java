package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of a limited queue's slots")
class SlotTableTest {

  private static final long ERA = 3;

  private final SlotTable table = new SlotTable(2);
  private final List<String> granted = new ArrayList<>();

  private void grant(int partition, long era, long count) {
    granted.add(partition + ":" + era + ":" + count);
  }

  private List<String> grant(int limit) {
    granted.clear();
    table.grant(limit, this::grant);
    return List.copyOf(granted);
  }

  private void tell(int partition, long granted, long returned, int wanted) {
    table.tell(new Queues.SlotsHeld(partition, "q", ERA, granted, returned, wanted));
  }

  private void begin() {
    table.begin(0, ERA);
    table.begin(1, ERA);
  }

  @Test
  void grantsNothingBeforeEachPartitionHasSaidWhatItHolds() {
    table.begin(0, ERA);
    tell(0, 0, 0, 2);
    assertThat(grant(2)).isEmpty();
    table.begin(1, ERA);
    assertThat(table.isCounted(1)).isFalse();
    assertThat(grant(2)).isEmpty();

    tell(1, 0, 0, 0);

    assertThat(table.isCounted(1)).isTrue();
    assertThat(table.era(1)).isEqualTo(ERA);
    assertThat(grant(2)).containsExactly("0:3:2");
  }

  @Test
  void grantsInTurnUpToTheLimit() {
    begin();
    tell(0, 0, 0, 5);
    tell(1, 0, 0, 5);

    assertThat(grant(3)).containsExactly("0:3:2", "1:3:1");
    assertThat(grant(3)).isEmpty();
    assertThat(grant(4)).as("it was the turn of the other one").containsExactly("1:3:2");
    assertThat(grant(5)).containsExactly("0:3:3");
  }

  @Test
  void grantsAgainWhatWasGivenBack() {
    begin();
    tell(0, 2, 0, 0);
    tell(1, 0, 0, 1);
    assertThat(grant(2)).isEmpty();

    tell(0, 2, 1, 0);

    assertThat(grant(2)).containsExactly("1:3:1");
    tell(0, 2, 0, 0);
    tell(1, 1, 0, 1);
    assertThat(grant(2)).as("what was given back stays so").isEmpty();
  }

  @Test
  void grantsNoMoreThanIsWanted() {
    begin();
    tell(0, 0, 0, 2);
    tell(1, 0, 0, 0);
    assertThat(grant(9)).containsExactly("0:3:2");

    tell(0, 0, 0, 2);
    assertThat(grant(9)).as("two are on their way").isEmpty();
    tell(0, 1, 0, 2);
    assertThat(grant(9)).as("one is on its way").containsExactly("0:3:3");
  }

  @Test
  void goesByNothingOfAFormerEraOrOfAStranger() {
    begin();
    tell(0, 0, 0, 0);
    tell(1, 0, 0, 0);

    table.tell(new Queues.SlotsHeld(1, "q", ERA - 1, 0, 0, 4));
    table.tell(new Queues.SlotsHeld(7, "q", ERA, 0, 0, 4));

    assertThat(grant(9)).isEmpty();
  }

  @Test
  void repeatsWhatWasNotHeard() {
    begin();
    tell(0, 0, 0, 2);
    tell(1, 0, 0, 1);
    grant(9);
    granted.clear();

    tell(1, 1, 0, 0);
    table.repeat(this::grant);

    assertThat(granted).containsExactly("0:3:2");
  }
}
