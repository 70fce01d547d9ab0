package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A service with plans that is killed")
@EnabledOnOs(OS.LINUX)
class PlanKillTest {

  @TempDir Path directory;
  private ServiceProcesses services;

  @BeforeEach
  void prepare() {
    services = ServiceProcesses.ofPlans(directory);
  }

  @AfterEach
  void stop() {
    services.close();
  }

  /// The most important points; the stress tests cover the rest.
  @Test
  void keepsEveryPromiseWhenItDiesAroundACommitOrInTheMidstOfAnApply() {
    var points =
        List.of(
            "halt=before:apply-written:1",
            "apply=write:move journal commit:1",
            "apply=write:move n:2",
            "apply=recover:move n:1");

    var evidence = PlanKills.at(points, services, "stories=RANDOM,DISPUTED,STOPPED,FRESH");

    assertThat(PlanFindings.violations(evidence)).isEmpty();
    var sites = SiteFindings.of(evidence);
    assertThat(sites.finished()).as("applies finished by a later start").isPositive();
    assertThat(sites.undone()).as("applies undone by a later start").isPositive();
    assertThat(evidence.count(What.PLAN_ACCEPTED)).isGreaterThan(points.size());
    assertThat(evidence.jobs().count(EndCause.WORKER_LOST)).isPositive();
  }

  @Test
  void hasAPointForEachKindOfFact() {
    assertThat(PlanPoints.facts()).isEqualTo(HaltingStore.facts());
  }

  /// The client soon misses plans that the service had accepted.
  @Test
  void isSeenToLoseWhatItHadSaidWhereItAnswersWithoutACommit() {
    var careless = services.start("stories=RANDOM,DISPUTED", "without=commits");
    assertThat(careless.exitCode()).as(careless::complaints).isEqualTo(PlanService.WRONG);

    var evidence = services.finishPlans();

    assertThat(PlanFindings.violations(evidence))
        .anyMatch(violation -> violation.matches("(?s)I(1|8|10|11)[ :].*"));
  }

  @Test
  void isSeenToLeaveADirectoryBetweenWhereNothingSaysThatAnApplyIsCertain() {
    var point = "apply=write:move n:2";
    PlanKills.dieAt(point, services.start("stories=FRESH", "without=certainty", point));

    var evidence = services.finishPlans();

    assertThat(PlanFindings.violations(evidence))
        .anyMatch(violation -> violation.startsWith("site: that of plan "));
  }
}
