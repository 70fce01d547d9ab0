package dev.handoff.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rules of history")
class HistoryRulesTest {

  private static final HistoryRules.Rule SUCCEEDED = new HistoryRules.Rule(true, false);
  private static final HistoryRules.Rule FAILED = new HistoryRules.Rule(false, true);

  private static HistoryRules usual(HistoryRules.Rule rule) {
    return new HistoryRules(rule, Map.of());
  }

  @Test
  void dropWhatEndedAsTheySay() {
    assertThat(usual(SUCCEEDED).drops(Samples.succeeded())).isTrue();
    assertThat(usual(SUCCEEDED).drops(Samples.failed())).isFalse();
    assertThat(usual(FAILED).drops(Samples.failed())).isTrue();
    assertThat(usual(FAILED).drops(Samples.succeeded())).isFalse();
    assertThat(HistoryRules.KEEP_ALL.drops(Samples.succeeded())).isFalse();
  }

  @Test
  void keepWhatWasCancelled() {
    assertThat(usual(new HistoryRules.Rule(true, true)).drops(Samples.cancelled())).isFalse();
  }

  @Test
  void keepStepsAndChildren() {
    for (var spec :
        new JobSpec[] {Samples.spec().stepOf("p", "s"), Samples.spec().childOf(Samples.ID)}) {
      var succeeded =
          Samples.after(
              Samples.submitted(spec),
              Samples.claim(),
              Samples.report(1, new AttemptReport.Returned(Samples.RESULT)));

      assertThat(usual(SUCCEEDED).drops(succeeded)).isFalse();
    }
  }

  @Test
  void areThoseOfATypeBeforeTheUsualOnes() {
    var rules =
        new HistoryRules(SUCCEEDED, Map.of("thumbnail", HistoryRules.Rule.KEEP, "mail", FAILED));

    assertThat(rules.drops(Samples.succeeded())).isFalse();
  }

  @Test
  void tellWhetherAJobMayHaveEndedWithoutARow() {
    assertThat(HistoryRules.KEEP_ALL.mayDrop()).isFalse();
    assertThat(usual(SUCCEEDED).mayDrop()).isTrue();
    assertThat(usual(FAILED).mayDrop()).isTrue();
    assertThat(new HistoryRules(HistoryRules.Rule.KEEP, Map.of("mail", FAILED)).mayDrop()).isTrue();
  }
}
