package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import dev.handoff.JobId;
import dev.handoff.Json;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.StepContribution;
import dev.handoff.internal.plan.OpenChangeset;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanPhase;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The checks of a plan")
class PlanInvariantsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Ulid IDS = new Ulid(new Random(1));
  private static final PlanId PLAN = new PlanId(IDS.next(0, 0));
  private static final JobId JOB = new JobId(IDS.next(0, 0));
  private static final ContentRef CONTENT = new ContentRef(ChainHash.of(new byte[1]), 1);

  private final ChangeHistory history = new ChangeHistory();
  private final Map<String, SetBody> bodies = new HashMap<>();
  private final Map<PlanId, Integer> widest = new HashMap<>();
  private final Map<PlanId, Set<String>> notRunAgain = new HashMap<>();
  private PlanState plan = newPlan();
  private JobState job =
      JobState.create(
          JOB,
          new JobFact.Submitted(JobSpec.of("t", Json.NULL).stepOf(PLAN.value(), "a"), NOW, true));

  private static PlanState newPlan() {
    var steps = List.of(new PlanSpec.Step("a", List.of(), JOB, null, "t"));
    var spec = new PlanSpec("plan", 1, false, null, steps, null);
    return PlanState.create(PLAN, new PlanFact.Submitted(spec, NOW, false));
  }

  private List<String> violations() {
    var stored =
        new PlanStoreSamples(
            Map.of(PLAN, plan), Map.of(JOB, job), bodies, widest, Map.of(), notRunAgain, Map.of());
    return PlanInvariants.violations(history, stored);
  }

  private void expect(String... violations) {
    assertThat(violations()).hasSize(violations.length);
    for (var violation : violations) {
      assertThat(violations()).anyMatch(found -> found.matches("(?s)" + violation));
    }
  }

  private static List<ChangeEntry> entries(String set, String... paths) {
    var entries = new ArrayList<ChangeEntry>();
    var seal = ChainHash.first(set);
    for (var path : paths) {
      entries.add(ChangeEntry.after(seal, path, null, CONTENT, NOW));
      seal = entries.getLast().seal();
    }
    return entries;
  }

  private String keep(SetBody body) {
    var sha256 = ChainHash.of(BodyCodec.encode(body));
    bodies.put(sha256, body);
    return sha256;
  }

  private void open(String set, String... paths) {
    plan = plan.apply(new PlanFact.ChangesetStarted(set, set, "who", NOW));
    plan = plan.apply(new PlanFact.ChangesRecorded(set, entries(set, paths)));
  }

  private void close(String set) {
    var body =
        keep(new SetBody(plan.book().open(set).map(OpenChangeset::entries).orElseThrow(), null));
    plan = plan.apply(new PlanFact.ChangesetClosed(set, body, NOW));
  }

  private void succeed(String... paths) {
    var set = JOB + ":1";
    var body = keep(new SetBody(entries(set, paths), null));
    var contribution = new StepContribution(body, paths.length, 0);
    job = job.apply(new JobFact.Succeeded(1, Json.NULL, AttemptNotes.NONE, NOW, contribution));
    plan =
        plan.committed(
                set, ChangesetAuthor.attempt(JOB, job.attempt(), "a"), NOW, paths.length, 0, body)
            .stepMoved("a", PlanInfo.StepStatus.SUCCEEDED, null);
  }

  private void end() {
    plan = plan.apply(new PlanFact.Ended(new PlanPhase.Succeeded(NOW)));
  }

  private void recorded(String path, String set, int place) {
    history.add(new ChangeHistory.Asked(PLAN, path));
    history.add(new ChangeHistory.Recorded(PLAN, path, set, place));
  }

  @Test
  void findNothingInAnOrdinaryLife() {
    recorded("x", "c1", 1);
    recorded("y", "c1", 2);
    history.add(new ChangeHistory.Closed(PLAN, "c1"));
    history.add(new ChangeHistory.Made(JOB, 0, "z"));
    open("c1", "x", "y");
    close("c1");
    succeed("z");
    end();

    assertThat(violations()).isEmpty();
  }

  @Test
  void findAPlanThatDoesNotEnd() {
    expect("I1 plan .* has not ended.*");
  }

  @Test
  void takeAStepThatHadFailedAndIsNotToRunAgainForCancelled() {
    var error = JobError.of(new IllegalStateException("no"));
    var end =
        new JobFact.AttemptEnd(0, EndCause.FAILED, error, false, false, AttemptNotes.NONE, NOW);
    job = job.apply(new JobFact.Failed(end));
    plan = plan.stepMoved("a", PlanInfo.StepStatus.CANCELLED, "the plan was stopped");
    end();

    expect("I1 step a of plan .* is CANCELLED, .* is FAILED");
    notRunAgain.put(PLAN, Set.of("a"));
    assertThat(violations()).isEmpty();
  }

  @Test
  void findAStepThatIsNotWhatItsJobSays() {
    plan = plan.stepMoved("a", PlanInfo.StepStatus.SUCCEEDED, null);
    end();

    expect("I1 step a of plan .* is SUCCEEDED, .* is WAITING");
  }

  @Test
  void findChangesOfAnAttemptThatHasNotSucceeded() {
    history.add(new ChangeHistory.Made(JOB, 0, "z"));
    succeed("z");
    job =
        job.apply(
            new JobFact.Cancelled(
                new JobPhase.CancelRequest("why", "who", NOW),
                false,
                false,
                List.of(),
                AttemptNotes.NONE,
                NOW));
    plan = plan.stepMoved("a", PlanInfo.StepStatus.CANCELLED, null);
    end();

    assertThat(violations()).anyMatch(found -> found.startsWith("I10 attempt 0 of job"));
  }

  @Test
  void findChangesThatAreNotThereAlthoughTheirAttemptSucceeded() {
    history.add(new ChangeHistory.Made(JOB, 0, "z"));
    history.add(new ChangeHistory.Made(JOB, 0, "zz"));
    succeed("z");
    end();

    expect("I10 job .* has made \\[z, zz\\], and its plan has \\[z\\]");
  }

  @Test
  void findChangesThatWereCommittedTwice() {
    history.add(new ChangeHistory.Made(JOB, 0, "z"));
    succeed("z");
    succeed("z");
    end();

    expect("I10 job .* has left two sets.*");
  }

  @Test
  void findAChangeInAnotherSetThanItsReplyNamed() {
    recorded("x", "c1", 1);
    open("c1");
    open("c2", "x");
    close("c1");
    close("c2");
    succeed();
    end();

    expect("I11 x is not in c1 at 1, but in \\[c2\\]");
  }

  @Test
  void findAChangeThatIsInTwoSets() {
    recorded("x", "c1", 1);
    open("c1", "x");
    open("c2", "x");
    close("c1");
    close("c2");
    succeed();
    end();

    expect("I11 x is in \\[c1, c2\\]");
  }

  @Test
  void findChangesInAnotherOrder() {
    recorded("x", "c1", 1);
    recorded("y", "c1", 2);
    open("c1", "y", "x");
    close("c1");
    succeed();
    end();

    expect("I11 x is not in c1 at 1.*", "I11 y is not in c1 at 2.*");
  }

  @Test
  void findWhatNobodyRecordedAndWhatWasRefused() {
    history.add(new ChangeHistory.Asked(PLAN, "y"));
    history.add(new ChangeHistory.Refused(PLAN, "y"));
    open("c1", "x", "y");
    close("c1");
    succeed();
    end();

    expect("I11 nobody recorded x.*", "I11 y was refused, and is in.*");
  }

  @Test
  void findWhatWasDiscardedAndIsThereOrClosedAndIsNot() {
    history.add(new ChangeHistory.Discarding(PLAN, "c1"));
    history.add(new ChangeHistory.Discarded(PLAN, "c1"));
    history.add(new ChangeHistory.Closed(PLAN, "c2"));
    open("c1");
    close("c1");
    succeed();
    end();

    expect("I11 set c2 .* was closed, and is not.*", "I11 set c1 .* was discarded, and is there");
  }

  @Test
  void takeChangesOfADiscardedSetForGone() {
    recorded("x", "c1", 1);
    history.add(new ChangeHistory.Discarding(PLAN, "c1"));
    open("c1", "x");
    plan = plan.apply(new PlanFact.ChangesetDiscarded("c1", NOW));
    succeed();
    end();

    assertThat(violations()).isEmpty();
  }

  @Test
  void findAnAlteredBody() {
    recorded("x", "c1", 1);
    open("c1", "x");
    close("c1");
    var altered = new SetBody(List.of(new ChangeEntry("x", CONTENT, null, NOW, "another")), null);
    bodies.replaceAll((sha256, body) -> altered);
    succeed();
    end();

    assertThat(violations())
        .anyMatch(found -> found.startsWith("I11 the body of set c1"))
        .anyMatch(found -> found.startsWith("I11 x in set c1"));
  }

  @Test
  void findAMissingBody() {
    open("c1", "x");
    close("c1");
    bodies.clear();
    succeed();
    end();

    expect("I11 the body of set c1 of .* is missing");
  }

  @Test
  void findAPlanThatRanTooMuchAtOnce() {
    succeed();
    end();
    widest.put(PLAN, 2);

    expect("I13 plan .* ran 2 steps at once, and may 1");
  }
}
