package dev.handoff.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.DiffReport;
import dev.handoff.plan.FileDiff;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.ResolveAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What becomes of a plan's changes, as JSON")
class ChangesJsonTest {

  private static final PlanId ID = new PlanId("01K9XVW5ZB0000000000000000");
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final ContentRef ONE = new ContentRef("a".repeat(64), 3);
  private static final String REF = "{'sha256':'%s','bytes':3}".formatted("a".repeat(64));

  private static String json(Object node) {
    return node.toString().replace('"', '\'');
  }

  private static String of(ApplyAnswer answer) {
    return json(ChangesJson.write(answer));
  }

  @Test
  void namesTheFilesOfAnApply() {
    var files = List.of(new ApplyAnswer.File("a.txt", "created", 3));
    var list = "'target':'/t','files':[{'path':'a.txt','change':'created','bytes':3}]}";

    assertThat(of(new ApplyAnswer.Applied("/t", files))).isEqualTo("{'outcome':'applied'," + list);
    assertThat(of(new ApplyAnswer.Possible("/t", files)))
        .isEqualTo("{'outcome':'possible'," + list);
  }

  @Test
  void namesWhatIsInTheWayOfAnApply() {
    var problem = new ApplyAnswer.Problem("a.txt", "taken", null, "1", "2", List.of("x", "y"));

    assertThat(of(new ApplyAnswer.Conflicted("/t", List.of(problem))))
        .isEqualTo(
            "{'outcome':'conflicted','target':'/t','problems':[{'path':'a.txt','found':'taken',"
                + "'ancestor':null,'ours':'1','theirs':'2','steps':['x','y']}]}");
  }

  @Test
  void hasAWordForEachAnswerToAnApply() {
    var before = new PlanInfo.Applied("/t", 2, 3, NOW);

    assertThat(of(new ApplyAnswer.AlreadyApplied("/t", Optional.of(before))))
        .isEqualTo("{'outcome':'already-applied','target':'/t','at':'2030-01-01T00:00:00Z'}");
    assertThat(of(new ApplyAnswer.AlreadyApplied("/t", Optional.empty()))).contains("'at':null");
    assertThat(of(new ApplyAnswer.NothingToApply())).isEqualTo("{'outcome':'nothing-to-apply'}");
    assertThat(of(new ApplyAnswer.Undone("/t", "full", true)))
        .isEqualTo("{'outcome':'undone','target':'/t','reason':'full','asBefore':true}");
    assertThat(of(new ApplyAnswer.Busy("/t"))).isEqualTo("{'outcome':'busy','target':'/t'}");
    assertThat(of(new ApplyAnswer.NotPossible("no")))
        .isEqualTo("{'outcome':'not-possible','reason':'no'}");
    assertThat(of(new ApplyAnswer.NotFound(ID))).isEqualTo("{'outcome':'not-found'}");
    assertThat(of(new ApplyAnswer.Unavailable("away", Duration.ofSeconds(1))))
        .isEqualTo("{'outcome':'unavailable','reason':'away'}");
  }

  @Test
  void hasTheFilesCountsConflictsAndTextOfADiff() {
    var file = new FileDiff("a.txt", FileDiff.Kind.CREATED, null, ONE, 1, 0, false, false);
    var why = PlanConflict.Why.FILE_AND_DIRECTORY;
    var conflict = new PlanConflict.Entry("b", null, ONE, null, "c1", "c2", why);
    var report = new DiffReport(List.of(file), new DiffReport.Counts(1, 0, 0, 1, 0));

    assertThat(json(ChangesJson.write(new PlanDiff("text", report, List.of(conflict)))))
        .isEqualTo(
            "{'files':[{'path':'a.txt','change':'created','added':1,'removed':0,'binary':false,"
                + "'coarse':false,'before':null,'after':"
                + REF
                + "}],'counts':{'files':1,'created':1,'modified':0,'deleted':0,'added':1,"
                + "'removed':0},'conflicts':[{'path':'b','why':'file-and-directory',"
                + "'ancestor':null,'ours':"
                + REF
                + ",'theirs':null,'oursFrom':'c1','theirsFrom':'c2'}],'text':'text'}");
  }

  @Test
  void saysWhatWasAltered() {
    assertThat(json(ChangesJson.write(new ChainVerdict.Intact(1, 2, 3, "head"))))
        .isEqualTo("{'intact':true,'changesets':1,'changes':2,'contents':3,'head':'head'}");
    assertThat(
            json(ChangesJson.write(new ChainVerdict.Altered("c1", "mine", 2, "a", "it is gone"))))
        .isEqualTo(
            "{'intact':false,'changeset':'c1','label':'mine','change':2,'path':'a',"
                + "'what':'it is gone'}");
  }

  @Test
  void saysWhereACancelCameTooLate() {
    assertThat(json(ChangesJson.write(new PlanCancelReport.Already(ID, PlanStatus.SUCCEEDED))))
        .isEqualTo("{'id':'%s','status':'succeeded'}".formatted(ID));
    assertThat(json(ChangesJson.write(new PlanCancelReport.NotFound(ID))))
        .isEqualTo("{'id':'%s','status':null}".formatted(ID));
  }

  @Test
  void hasAWordForEachAnswerToADecision() {
    assertThat(json(ChangesJson.write(new ResolveAnswer.Resolved("a", List.of("b")))))
        .isEqualTo("{'outcome':'resolved','path':'a','left':['b']}");
    assertThat(json(ChangesJson.write(new ResolveAnswer.NoConflict("a", List.of("b")))))
        .isEqualTo("{'outcome':'no-conflict','path':'a','left':['b']}");
    assertThat(json(ChangesJson.write(new ResolveAnswer.NotPossible("no"))))
        .isEqualTo("{'outcome':'not-possible','reason':'no'}");
    assertThat(json(ChangesJson.write(new ResolveAnswer.NotFound(ID))))
        .isEqualTo("{'outcome':'not-found'}");
    assertThat(json(ChangesJson.write(new ResolveAnswer.Unavailable("away", Duration.ZERO))))
        .isEqualTo("{'outcome':'unavailable','reason':'away'}");
  }
}
