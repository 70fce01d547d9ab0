package dev.handoff.internal.job;

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
    assertThat(usual(SUCCEEDED).drops(JobSituations.succeeded())).isTrue();
    assertThat(usual(SUCCEEDED).drops(JobSituations.failed())).isFalse();
    assertThat(usual(FAILED).drops(JobSituations.failed())).isTrue();
    assertThat(usual(FAILED).drops(JobSituations.succeeded())).isFalse();
    assertThat(HistoryRules.KEEP_ALL.drops(JobSituations.succeeded())).isFalse();
  }

  @Test
  void keepWhatWasCancelled() {
    assertThat(usual(new HistoryRules.Rule(true, true)).drops(JobSituations.cancelled())).isFalse();
  }

  @Test
  void keepStepsAndChildren() {
    for (var spec :
        new JobSpec[] {
          JobSituations.spec().stepOf("p", "s"), JobSituations.spec().childOf(JobSituations.ID)
        }) {
      var succeeded =
          JobSituations.after(
              JobSituations.submitted(spec),
              JobSituations.claim(),
              JobSituations.report(1, new AttemptReport.Returned(JobSituations.RESULT)));

      assertThat(usual(SUCCEEDED).drops(succeeded)).isFalse();
    }
  }

  @Test
  void areThoseOfATypeBeforeTheUsualOnes() {
    var rules =
        new HistoryRules(SUCCEEDED, Map.of("thumbnail", HistoryRules.Rule.KEEP, "mail", FAILED));

    assertThat(rules.drops(JobSituations.succeeded())).isFalse();
  }

  @Test
  void tellWhetherAJobMayHaveEndedWithoutARow() {
    assertThat(HistoryRules.KEEP_ALL.mayDrop()).isFalse();
    assertThat(usual(SUCCEEDED).mayDrop()).isTrue();
    assertThat(usual(FAILED).mayDrop()).isTrue();
    assertThat(new HistoryRules(HistoryRules.Rule.KEEP, Map.of("mail", FAILED)).mayDrop()).isTrue();
  }
}
