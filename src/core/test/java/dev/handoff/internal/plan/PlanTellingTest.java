package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.child;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobReply;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.function.Predicate;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A plan with its steps")
class PlanTellingTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final JobCommand RELEASE = new JobCommand.Release();

  private final PlanHarness harness = new PlanHarness(actors);

  /// Plan that failed and was reopened.
  private void openedAgain(PlanDraft draft, String failing) {
    harness.live(draft);
    harness.fail(failing);
    harness.state();
    while (!harness.durable().steps().allEnded()) {
      var next =
          harness.durable().spec().steps().stream()
              .filter(one -> waits(one.name()))
              .findFirst()
              .orElseThrow();
      harness.job(next.name(), new JobCommand.Cancel("hopeless", "plan"));
    }
    harness.commit();
    fishFor(PlanNotice.Gone.class::isInstance);
    harness.archived();
    harness.order(new PlanCommand.Retry("ann"));
    harness.commit();
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    harness.state();
    fishFor(
        notice ->
            notice instanceof PlanNotice.ToJob(var told)
                && ((Job.Do) told.command()).command() instanceof JobCommand.Retry);
  }

  private void fishFor(Predicate<PlanNotice> which) {
    harness.partition.fishForMessage(
        Duration.ofSeconds(10),
        notice ->
            which.test(notice) ? FishingOutcomes.complete() : FishingOutcomes.continueAndIgnore());
  }

  private boolean waits(String step) {
    return harness.durable().steps().find(step).orElseThrow().status()
        == PlanInfo.StepStatus.WAITING;
  }

  @Test
  void startsNoMoreThanMayRunAtOnce() {
    harness.live(draft(2, false, step("a"), step("b"), step("c"), step("d")));

    harness.expectOrder("a", RELEASE);
    harness.expectOrder("b", RELEASE);
    harness.expectSilence();
    harness.succeed("b");
    harness.expectOrder("c", RELEASE);
    harness.expectSilence();
  }

  @Test
  void startsAStepWhenThoseBeforeItHaveSucceeded() {
    harness.live(draft(step("a"), step("b"), step("c", "a", "b")));
    harness.expectOrder("a", RELEASE);
    harness.expectOrder("b", RELEASE);
    harness.succeed("a");
    harness.expectSilence();

    harness.succeed("b");

    harness.expectOrder("c", RELEASE);
  }

  @Test
  void startsChildPlansLikeJobs() {
    harness.live(draft(child("a", draft(step("x")))));

    var told = harness.partition.expectMessageClass(PlanNotice.ToPlan.class).message();

    assertThat(told.plan()).isEqualTo(harness.spec("a").plan());
    assertThat(((Plan.Do) told.command()).command()).isEqualTo(new PlanCommand.Release());
  }

  @Test
  void tellsAgainWhatHasHadNoEffect() {
    harness.live(draft(step("a")));
    var told = harness.nextOrder();
    harness.answer(
        told, new JobReply.Unavailable(told.job(), "the store is away", Duration.ofSeconds(1)));
    harness.expectSilence();

    actors.pass(PlanHarness.REPEAT);
    harness.expectOrder("a", RELEASE);
    actors.pass(PlanHarness.REPEAT);
    harness.expectOrder("a", RELEASE);

    harness.job("a", RELEASE);
    harness.state();
    actors.pass(PlanHarness.REPEAT);
    actors.pass(PlanHarness.REPEAT);
    harness.expectSilence();
  }

  /// A step can be loading from history meanwhile, for any length of time.
  @Test
  void keepsThePlaceOfAStepThatIsOnItsWay() {
    harness.live(draft(2, false, step("x"), step("a", "x"), step("b", "x"), step("late")));
    harness.expectOrder("x", RELEASE);
    harness.expectOrder("late", RELEASE);
    harness.succeed("x");
    harness.expectOrder("a", RELEASE);

    actors.pass(PlanHarness.REPEAT);

    harness.expectOrder("a", RELEASE);
    harness.expectOrder("late", RELEASE);
    harness.expectSilence();
  }

  @Test
  void tellsAgainToStopWhatHasNotStopped() {
    harness.live(draft(step("a")));
    harness.nextOrder();
    harness.job("a", RELEASE);
    harness.order(new PlanCommand.Cancel("not needed", "ann"));
    harness.commit();
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    var cancel = new JobCommand.Cancel("not needed", "plan " + harness.id);
    harness.expectOrder("a", cancel);

    actors.pass(PlanHarness.REPEAT);

    harness.expectOrder("a", cancel);
    harness.job("a", cancel);
    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
    actors.pass(PlanHarness.REPEAT);
    harness.partition.expectMessageClass(PlanNotice.Gone.class);
    harness.applies.expectMessageClass(ApplyRunner.Stop.class);
    harness.expectSilence();
  }

  @Test
  void stopsWhatCanNeverBeReadyAndGoesOnWithTheRest() {
    harness.live(draft(2, false, step("a"), step("b", "a"), step("c"), step("d")));
    harness.nextOrder();
    harness.nextOrder();

    harness.fail("a");

    harness.expectOrder(
        "b", new JobCommand.Cancel("step a before it failed", "plan " + harness.id));
    harness.expectOrder("d", RELEASE);
    assertThat(harness.state().status()).isEqualTo(PlanStatus.FAILING);
  }

  @Test
  void stopsEverythingAfterTheFirstFailureIfItFailsFast() {
    harness.live(draft(1, true, step("a"), step("b"), step("c")));
    harness.nextOrder();

    harness.fail("a");

    var why = new JobCommand.Cancel("step a failed, and the plan fails fast", "plan " + harness.id);
    harness.expectOrder("b", why);
    harness.expectOrder("c", why);
    harness.expectSilence();
  }

  @Test
  void startsNothingTwiceAfterARestart() {
    harness.live(draft(2, false, step("a"), step("b"), step("c"), step("d")));
    harness.nextOrder();
    harness.nextOrder();
    harness.job("a", RELEASE);
    harness.again();

    harness.expectOrder("b", RELEASE);
    harness.expectSilence();
  }

  @Test
  void opensAgainWhatDidNotSucceed() {
    openedAgain(draft(step("a"), step("b", "a")), "a");

    harness.expectSilence();
    assertThat(harness.durable().status()).isEqualTo(PlanStatus.RUNNING);
    harness.job("a", new JobCommand.Retry("plan", true));
    harness.expectSilence();
  }

  @Test
  void hasLostAStepThatHistoryDoesNotKeepAnyMore() {
    openedAgain(draft(step("a"), step("b", "a")), "a");
    actors.pass(PlanHarness.REPEAT);
    var told = harness.nextOrder();

    harness.answer(told, new JobReply.NotFound(told.job()));

    harness.expectFacts(harness.commit(), PlanFact.StepLost.class);
    assertThat(harness.durable().steps().find("a").orElseThrow().reason())
        .isEqualTo("it is not kept any more");
    assertThat(harness.nextOrder().job()).isEqualTo(harness.spec("b").job());
  }

  @Test
  void endsWithStepsThatWereToRunAgainAndAreNot() {
    openedAgain(draft(1, false, step("a"), step("b")), "a");
    harness.job("a", new JobCommand.Retry("plan", true));
    harness.order(new PlanCommand.Cancel("not needed", "ann"));
    harness.commit();
    harness.job("a", new JobCommand.Cancel("not needed", "plan"));
    harness.state();
    var told = harness.nextOrder();
    while (!told.job().equals(harness.spec("b").job())) {
      told = harness.nextOrder();
    }

    harness.answer(told, new JobReply.AlreadyFinished(harness.jobState("b")));

    harness.expectFacts(harness.commit(), PlanFact.StepDropped.class);
    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
    assertThat(harness.durable().status()).isEqualTo(PlanStatus.CANCELLED);
    assertThat(harness.durable().steps().find("b").orElseThrow().reason()).isEqualTo("not needed");
  }

  @Test
  void dropsNothingThatIsOnItsWay() {
    openedAgain(draft(1, false, step("a")), "a");
    harness.order(new PlanCommand.Cancel("not needed", "ann"));
    harness.commit();
    harness.answer();
    var told = harness.nextOrder();
    assertThat(((Job.Do) told.command()).command()).isInstanceOf(JobCommand.Cancel.class);

    harness.answer(told, new JobReply.AlreadyFinished(harness.jobState("a")));

    harness.applies.expectMessageClass(ApplyRunner.Stop.class);
    harness.expectSilence();
    actors.pass(PlanHarness.REPEAT);
    var again = harness.nextOrder();
    harness.answer(again, new JobReply.AlreadyFinished(harness.jobState("a")));
    harness.expectFacts(harness.commit(), PlanFact.StepDropped.class);
  }

  @Test
  void hearsOfChildPlansWhatItHearsOfJobs() {
    harness.live(draft(child("x", draft(step("y"))), child("z", draft(step("y")))));
    var lost = harness.partition.expectMessageClass(PlanNotice.ToPlan.class).message();
    var over = harness.partition.expectMessageClass(PlanNotice.ToPlan.class).message();

    ((Plan.Do) over.command())
        .replyTo()
        .tell(
            new PlanReply.Answered(over.plan(), new PlanAnswer.AlreadyFinished(PlanStatus.FAILED)));
    ((Plan.Do) lost.command()).replyTo().tell(new PlanReply.NotFound(lost.plan()));

    harness.expectFacts(harness.commit(), PlanFact.StepLost.class);
    assertThat(harness.durable().steps().find("x").orElseThrow().status())
        .isEqualTo(PlanInfo.StepStatus.FAILED);
    assertThat(harness.durable().steps().find("z").orElseThrow().status())
        .isEqualTo(PlanInfo.StepStatus.WAITING);
  }
}
