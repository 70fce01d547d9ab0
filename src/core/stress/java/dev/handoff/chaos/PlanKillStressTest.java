package dev.handoff.chaos;

import static dev.handoff.StoreSettings.Access.READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreSettings;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.PlanStoreSamples;
import dev.handoff.testing.RandomSeeds;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A service with plans that is killed over and over")
@EnabledOnOs(OS.LINUX)
class PlanKillStressTest {

  private static final Duration LONGEST = Duration.ofMinutes(3);

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

  @Test
  void keepsEveryPromiseWheneverItHappens() {
    RandomSeeds.each(
        1,
        random -> {
          int cycles = killUntil(random, System.nanoTime() + LONGEST.toNanos());
          var evidence = services.finishPlans();

          var sites = SiteFindings.of(evidence);
          System.out.printf(
              "killed %d times, %d plans, %d applies finished and %d undone by a later start%n",
              cycles, evidence.count(What.PLAN_ACCEPTED), sites.finished(), sites.undone());
          assertThat(PlanFindings.violations(evidence)).isEmpty();
          assertThat(cycles).isGreaterThan(15);
          assertThat(evidence.count(What.PLAN_ACCEPTED)).isGreaterThan(cycles * 5L);
          assertThat(evidence.count("plan ApplyWritten")).isGreaterThan(cycles);
          assertThat(sites.finished() + sites.undone()).isPositive();
          expectAllThatIsInteresting(evidence);
        });
  }

  private int killUntil(Random random, long end) {
    int cycles = 0;
    while (System.nanoTime() < end) {
      PlanKills.once(services, random.nextInt(1 << 20), random.nextInt(1_000));
      cycles++;
    }
    return cycles;
  }

  private static void expectAllThatIsInteresting(PlanEvidence evidence) {
    assertThat(evidence.jobs().count(EndCause.WORKER_LOST)).isPositive();
    assertThat(evidence.jobs().count(EndCause.TIMED_OUT)).isPositive();
    for (var kind : PlanPoints.facts()) {
      if (!PlanPoints.ELSEWHERE.contains(kind)) {
        assertThat(evidence.stored().facts()).as(kind).containsKey(HaltingStore.kind(kind));
      }
    }
  }

  @Test
  void keepsEveryPromiseAtEachPointOfAPlansLife() {
    var evidence = PlanKills.at(PlanPoints.commits(), services, PlanKills.STORIES);

    assertThat(PlanFindings.violations(evidence)).isEmpty();
    expectAllThatIsInteresting(evidence);
  }

  @Test
  void leavesADirectoryAsBeforeOrAsAfterAtEachPointOfAnApply() {
    PlanKills.at(PlanPoints.files(), services, "stories=RANDOM,DISPUTED,STOPPED");
    var evidence = PlanKills.at(PlanPoints.newDirectories(), services, "stories=FRESH");

    assertThat(PlanFindings.violations(evidence)).isEmpty();
    var sites = SiteFindings.of(evidence);
    assertThat(sites.finished()).isGreaterThan(5);
    assertThat(sites.undone()).isGreaterThan(5);
  }

  /// Stories without discarded changesets: the ledger holds only the facts since the last
  /// checkpoint, so earlier discards would be unknown.
  @Test
  void keepsEveryPromiseWhileACheckpointIsWritten() {
    var points =
        List.of(
            "halt=before:chunk:1",
            "halt=after:chunk:1",
            "halt=before:chunk:4",
            "halt=after:chunk:4",
            "halt=before:trim:1",
            "halt=after:trim:1");

    var evidence =
        PlanKills.at(
            points,
            services,
            "stories=DISPUTED,FRESH",
            "ledger.checkpoint-after=4KiB",
            "ledger.chunk=1KiB");

    assertThat(PlanFindings.violations(evidence.withoutFacts())).isEmpty();
    assertThat(evidence.jobs().count(EndCause.WORKER_LOST)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"halt=before:returned:1", "halt=after:returned:1"})
  void keepsEveryPromiseWhileItShutsDown(String point) {
    var service = services.start("stories=LASTING,STOPPED", point);
    service.await(What.BEGIN, 5);

    service.signal("TERM");

    PlanKills.dieAt(point, service);
    assertThat(PlanFindings.violations(services.finishPlans())).isEmpty();
  }

  /// The step's job was removed from history while its plan was open.
  @ParameterizedTest
  @ValueSource(strings = {"halt=before:plan-step-lost:1", "halt=after:plan-step-lost:1"})
  void failsAStepThatIsNotKeptAnyMore(String point) {
    var failed = "halt=after:failed:1";
    PlanKills.dieAt(failed, services.start("stories=LOST", failed));
    var forgotten = "halt=after:forget:1";
    PlanKills.dieAt(forgotten, services.start("history.retention=0s", forgotten));
    var last = services.start(point);
    last.await(What.UP, 1);
    last.tell("finish");
    PlanKills.dieAt(point, last);

    var stored = services.finishPlans().stored();

    assertThat(stored.jobs()).isEmpty();
    assertThat(stored.plans().values())
        .singleElement()
        .satisfies(
            plan -> {
              assertThat(plan.status()).isEqualTo(PlanStatus.FAILED);
              assertThat(plan.steps().all().getFirst().reason())
                  .isEqualTo("it is not kept any more");
            });
  }

  /// Contents are deleted with their plans: not earlier, and not much later.
  @Test
  void forgetsAPlanWithAllThatIsItsOwnOrNothingOfIt() throws Exception {
    var first = services.start("stories=DISPUTED,FRESH,RANDOM");
    first.await(What.PLAN_ENDED, 100);
    first.kill();
    assertThat(PlanFindings.violations(services.finishPlans())).isEmpty();
    int before = services.storedPlans().plans().size();

    forgetUntil("halt=before:forget:1");
    assertThat(services.storedPlans().plans()).hasSize(before);
    forgetUntil("halt=before:forget:2");
    assertThat(services.storedPlans().plans()).isNotEmpty().hasSizeLessThan(before);
    while (contents() > 0) {
      forgetUntil("halt=after:forget:1");
    }

    assertThat(services.storedPlans().plans()).isEmpty();
    assertThat(services.storedPlans().jobs()).isEmpty();
  }

  /// Forgets plans until the point, and asserts that the remaining ones are complete.
  private void forgetUntil(String point) {
    PlanKills.dieAt(point, services.start("history.retention=0s", point));
    try (var store =
        StoreOpener.open(new StoreSettings(services.store(), 0, READ, "the checkers"))) {
      var stored = PlanStoreSamples.of(store);
      var sets = stored.plans().values().stream().flatMap(plan -> plan.book().chain().stream());
      assertThat(sets).as(point).allMatch(set -> stored.bodies().containsKey(set.body()));
      var contents =
          stored.bodies().values().stream()
              .flatMap(body -> body.entries().stream())
              .flatMap(entry -> Stream.of(entry.before(), entry.after()))
              .filter(Objects::nonNull)
              .map(ContentRef::sha256)
              .collect(Collectors.toSet());
      var found = contents.isEmpty() ? Map.of() : BoundedWaits.get(store.blobs(contents));
      assertThat(found.keySet()).as(point).isEqualTo(contents);
    }
  }

  private int contents() throws SQLException {
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("data/handoff.db"));
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT count(*) FROM handoff_content")) {
      return row.getInt(1);
    }
  }
}
