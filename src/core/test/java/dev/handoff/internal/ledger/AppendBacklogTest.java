package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The backlog of a ledger")
class AppendBacklogTest {

  private final List<Ledger.Reply> replies = new ArrayList<>();

  private static AppendBacklog backlog(long room) {
    return new AppendBacklog(settings(room));
  }

  private static LedgerSettings settings(long room) {
    return new LedgerSettings(
        2, 1_024, 1_024, room, 1_024, 1_024, Duration.ZERO, Duration.ofMillis(5));
  }

  private Ledger.Append append(int bytes) {
    var fact = new Fact("e", new CounterEntities.Added(1), new byte[bytes]);
    return new Ledger.Append("e", List.of(fact), List.of(), List.of(), replies::add);
  }

  @Test
  void takesAnAppendOfTheLargestSizeAndNoneThatIsLarger() {
    var backlog = backlog(100_000);

    assertThat(backlog.add(append(1_024), false)).isTrue();
    assertThat(replies).isEmpty();
    assertThat(backlog.add(append(1_025), false)).isFalse();
    assertThat(replies).singleElement().isInstanceOf(Ledger.Refused.class);
  }

  @Test
  void isFilledToTheLastByte() {
    var backlog = backlog(2 * (500 + AppendBacklog.OVERHEAD));

    assertThat(backlog.add(append(500), false)).isTrue();
    assertThat(backlog.add(append(501), false)).isFalse();
    assertThat(backlog.add(append(500), false)).isTrue();
    assertThat(backlog.add(append(0), false)).isFalse();
    assertThat(replies).hasSize(2).allMatch(Ledger.Unavailable.class::isInstance);
  }

  @Test
  void hasRoomAgainForWhatIsTakenOut() {
    var backlog = backlog(2 * (500 + AppendBacklog.OVERHEAD));
    for (int i = 0; i < 100; i++) {
      assertThat(backlog.add(append(500), false)).isTrue();
      assertThat(backlog.add(append(500), false)).isTrue();
      assertThat(backlog.add(append(0), false)).isFalse();
      assertThat(backlog.next()).hasSize(2);
      assertThat(backlog.isEmpty()).isTrue();
    }
  }

  @Test
  void keepsATenthForWhatIsNoSubmission() {
    var settings = settings(20_000);
    var backlog = new AppendBacklog(settings);
    assertThat(settings.submissions()).isEqualTo(18_000);
    for (int i = 0; i < 18; i++) {
      assertThat(backlog.add(append(1_000 - AppendBacklog.OVERHEAD), true)).isTrue();
    }

    assertThat(backlog.add(append(0), true)).isFalse();
    assertThat(backlog.add(append(1_000 - AppendBacklog.OVERHEAD), false)).isTrue();
    assertThat(backlog.add(append(1_000 - AppendBacklog.OVERHEAD), false)).isTrue();
    assertThat(backlog.add(append(0), false)).isFalse();
  }

  @Test
  void takesASubmissionOfTheLargestSizeHoweverSmallItIs() {
    int least = 1_024 + AppendBacklog.OVERHEAD;

    assertThat(settings(least).submissions()).isEqualTo(least);
    assertThat(backlog(least).add(append(1_024), true)).isTrue();
  }

  @Test
  void givesARefusedBatchAgainInHalvesBeforeAllElse() {
    var backlog = backlog(100_000);
    var refused = List.of(append(1), append(2), append(3));
    assertThat(backlog.isEmpty()).isTrue();
    backlog.add(append(4), false);
    assertThat(backlog.isEmpty()).isFalse();
    assertThat(backlog.hasHalves()).isFalse();

    backlog.halve(refused);

    assertThat(backlog.hasHalves()).isTrue();
    assertThat(backlog.next()).isEqualTo(refused.subList(0, 1));
    assertThat(backlog.isEmpty()).isFalse();
    assertThat(backlog.next()).isEqualTo(refused.subList(1, 3));
    assertThat(backlog.hasHalves()).isFalse();
    assertThat(backlog.next()).hasSize(1);
    assertThat(backlog.isEmpty()).isTrue();
    backlog.halve(refused);
    assertThat(backlog.isEmpty()).isFalse();
  }

  @Test
  void givesBatchesOfAsManyFactsAndBytesAsMayBe() {
    var many = backlog(100_000);
    var large = backlog(100_000);
    for (int i = 0; i < 3; i++) {
      many.add(append(1), false);
    }
    for (int size : new int[] {512, 512, 512, 513}) {
      large.add(append(size), false);
    }

    assertThat(many.next()).hasSize(2);
    assertThat(many.next()).hasSize(1);
    assertThat(large.next()).hasSize(2);
    assertThat(large.next()).hasSize(1);
    assertThat(large.next()).hasSize(1);
  }
}
