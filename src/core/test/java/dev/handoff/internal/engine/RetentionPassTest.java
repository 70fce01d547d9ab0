package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.HistoryRules;
import dev.handoff.internal.store.ForgetProgress;
import dev.handoff.internal.store.ForgetSlice;
import dev.handoff.internal.store.HistoryPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A pass of retention")
class RetentionPassTest {

  private static final Instant NOW = JobSamples.NOW;
  private static final HistoryPlace HERE = new HistoryPlace(NOW.minusSeconds(5), "an id");

  private static List<RetentionPass> passes(Map<String, Duration> byType) {
    return RetentionPass.of(
        new HistorySettings(
            Duration.ofDays(30), byType, Duration.ofDays(1), HistoryRules.KEEP_ALL));
  }

  private static ForgetSlice slice(int days, Set<String> types, boolean others) {
    return new ForgetSlice(HistoryPlace.START, NOW.minus(Duration.ofDays(days)), types, others);
  }

  @Test
  void isTheOnlyOneAndOfAllWhereNoTypeHasItsOwn() {
    assertThat(passes(Map.of()))
        .singleElement()
        .matches(RetentionPass::isOfAll)
        .matches(pass -> pass.before(NOW).equals(NOW.minus(Duration.ofDays(30))));
    assertThat(passes(Map.of("same", Duration.ofDays(30))))
        .singleElement()
        .matches(RetentionPass::isOfAll);
  }

  @Test
  void isThereForEachRetentionTheShortestFirst() {
    var passes =
        passes(
            Map.of(
                "year", Duration.ofDays(365),
                "day", Duration.ofDays(1),
                "week", Duration.ofDays(7),
                "other week", Duration.ofDays(7)));

    assertThat(passes.subList(0, 3))
        .map(pass -> pass.slice(NOW))
        .containsExactly(
            slice(1, Set.of("day"), false),
            slice(7, Set.of("day", "week", "other week"), false),
            slice(30, Set.of("year"), true));
    assertThat(passes.getLast().isOfAll()).isTrue();
    assertThat(passes.getLast().before(NOW)).isEqualTo(NOW.minus(Duration.ofDays(365)));
  }

  @Test
  void goesOnFromWhereItIsAndBeginsAnewEachDay() {
    var pass = passes(Map.of("day", Duration.ofDays(1))).getFirst().at(NOW);
    var later = pass.on(new ForgetProgress(HERE, true));

    assertThat(pass.slice(NOW).after()).isEqualTo(HistoryPlace.START);
    assertThat(later.at(NOW.plus(RetentionPass.ANEW)).slice(NOW).after()).isEqualTo(HERE);
    assertThat(later.at(NOW.plus(RetentionPass.ANEW).plusMillis(1)).slice(NOW).after())
        .isEqualTo(HistoryPlace.START);
    assertThat(later.at(NOW.minus(RetentionPass.ANEW).minusMillis(1)).slice(NOW).after())
        .isEqualTo(HistoryPlace.START);
  }
}
