package dev.handoff.internal.context.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.ScoreReport;
import dev.handoff.context.Assembled.Report.StrategyReport;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The preamble")
class PlainPreambleTest {

  @Test
  void saysWhoContributed_whatIsMissing_andWhy() {
    var text =
        write(
            1_000,
            found("keyword", 3),
            failed("semantic", "Boom: no model\n\tat x"),
            failed("git", ""));

    assertThat(text)
        .isEqualTo(
            """
            Missing: semantic failed: Boom: no model
            Missing: git failed.
            Found by (confidence, fragments): keyword (0.30, 3).
            Left out: 2 of 5.
            Note: 2 binaries were skipped

            """);
  }

  @Test
  void saysThatNothingWasFound() {
    assertThat(new PlainPreamble().write(Assembled.Report.NONE, 100, PipelineSamples.WORDS))
        .isEqualTo("Nothing was found.\n\n");
  }

  @Test
  void saysThatWhatWasFoundDoesNotFit() {
    assertThat(write(1_000, found("keyword", 0)))
        .startsWith("Nothing that was found fits.\nLeft out: 5 of 5.\n");
  }

  @Test
  void namesThoseThatAreMissing_whereTheReasonsAreTooLong_andCountsThemWhereTheNamesAre() {
    StrategyReport[] strategies = {
      found("keyword", 3), failed("semantic", "Boom: " + "long ".repeat(50)), failed("git", "Bang")
    };

    assertThat(write(60, strategies)).startsWith("Missing: semantic failed, git failed.\nFound by");
    assertThat(write(20, strategies)).startsWith("Missing: 2 strategies.\nFound by");
    assertThat(write(3, strategies)).isEqualTo("Missing: 2 strategies.\n\n");
  }

  @Test
  void isAsLongAsItMayBe_andLeavesItsLastLinesOut() {
    assertThat(write(7, found("keyword", 3)))
        .isEqualTo("Found by (confidence, fragments): keyword (0.30, 3).\n\n");
    assertThat(write(0, found("keyword", 3))).isEmpty();
  }

  private static String write(int most, StrategyReport... strategies) {
    var report =
        new Assembled.Report(
            100,
            List.of(strategies),
            Collections.nCopies(
                5,
                new ScoreReport("a", "keyword", new PipelinePart.Scorer.Score(1, 1, 1, 1, 1), "")),
            List.of(),
            List.of("2 binaries were skipped"),
            0,
            Duration.ZERO);
    return new PlainPreamble().write(report, most, PipelineSamples.WORDS);
  }

  private static StrategyReport found(String name, int packed) {
    return new StrategyReport(name, Outcome.FOUND, 0.3, 10, Duration.ZERO, 9, packed, 50, "");
  }

  private static StrategyReport failed(String name, String detail) {
    return new StrategyReport(name, Outcome.FAILED, 0.3, 10, Duration.ZERO, 0, 0, 0, detail);
  }
}
