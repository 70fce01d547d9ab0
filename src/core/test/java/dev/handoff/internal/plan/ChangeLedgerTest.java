package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.BODY;
import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.sha;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.Resolution;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The book of a plan")
class ChangeLedgerTest {

  private static final String TARGET = "/srv/site";

  private static Resolution resolution(String path, Resolution.Choice choice, Instant at) {
    return new Resolution(path, null, sha("1"), sha("2"), choice, null, "ann", at);
  }

  private static Resolution ours(String path) {
    return resolution(path, Resolution.Choice.OURS, NOW);
  }

  private static ChangeLedger with(List<Resolution> resolutions) {
    return new ChangeLedger(0, null, null, resolutions, 0, null, null);
  }

  private static WrittenApply applied(int number, String target, Instant at) {
    return new WrittenApply(number, target, 1, BODY, 1, at);
  }

  private static ChangeLedger applied(Instant decided, Instant written) {
    var decision = resolution("a", Resolution.Choice.OURS, decided);
    return with(List.of(decision)).written(applied(1, TARGET, written));
  }

  private static OpenChangeset open(String id, int label) {
    return OpenChangeset.empty(id, "l".repeat(label), "ann", NOW);
  }

  private static PlanFact.ChangesetStarted started(int label) {
    return new PlanFact.ChangesetStarted("c9", "l".repeat(label), "ann", NOW);
  }

  @Test
  void hasRoomForDecisionsUpToABoundOfBytes() {
    int half = ChangeLedger.MOST_RESOLUTION_BYTES / 2 - "ann".length();
    var book = with(List.of(ours("p".repeat(half))));

    assertThat(book.hasRoomFor(ours("q".repeat(half)))).isTrue();
    assertThat(book.hasRoomFor(ours("q".repeat(half + 1)))).isFalse();
  }

  @Test
  void hasRoomForSoManyDecisions() {
    var decisions =
        IntStream.range(0, ChangeLedger.MOST_RESOLUTIONS)
            .mapToObj(number -> ours("p" + number))
            .toList();

    assertThat(with(decisions.subList(1, decisions.size())).hasRoomFor(ours("q"))).isTrue();
    assertThat(with(decisions).hasRoomFor(ours("q"))).isFalse();
  }

  @Test
  void hasRoomForLabelsOfOpenAndCommittedChangesetsOfCallers() {
    int left = ChangeLedger.MOST_LABEL_BYTES - 2 * (100 + "ann".length()) - "ann".length();
    var job = new JobId(PlanSamples.newId());
    var own =
        Changeset.after(
            ChainHash.NONE, "c1", "l".repeat(100), ChangesetAuthor.caller("ann"), NOW, 1, 0, BODY);
    var step =
        Changeset.after(
            own.hash(),
            "j:1",
            "l".repeat(999),
            ChangesetAuthor.attempt(job, 1, "a"),
            NOW,
            1,
            0,
            BODY);

    var book = ChangeLedger.EMPTY.plus(own).plus(step).plus(open("c2", left));

    assertThat(book.hasRoomFor(started(100))).isTrue();
    assertThat(book.hasRoomFor(started(101))).isFalse();
  }

  @Test
  void knowsWhatCallersHaveStarted() {
    var book = ChangeLedger.EMPTY.plus(open("c1", 1)).plus(open("c2", 1)).plus(open("c3", 1));

    assertThat(book.wasStarted("c1")).isTrue();
    assertThat(book.wasStarted("c3")).isTrue();
    for (var other : List.of("c4", "c0", "c01", "x1", "c", "c1234567890")) {
      assertThat(book.wasStarted(other)).as(other).isFalse();
    }
    assertThat(book.started()).isEqualTo(3);
    assertThat(book.latest()).hasValueSatisfying(set -> assertThat(set.id()).isEqualTo("c3"));
    assertThat(ChangeLedger.EMPTY.latest()).isEmpty();
    assertThat(book.open("c2")).isPresent();
    assertThat(book.open("c4")).isEmpty();
    assertThat(book.withoutOpen(set -> set.id().equals("c2")).open())
        .extracting(OpenChangeset::id)
        .containsExactly("c1", "c3");
  }

  @Test
  void countsWhatIsOpen() {
    var plan =
        PlanSamples.after(
            PlanSamples.state(PlanSamples.draft(PlanSamples.step("a"))),
            PlanSamples.start(),
            PlanSamples.start(),
            PlanSamples.record("c1"),
            PlanSamples.record("c1"),
            PlanSamples.record("c2"));

    assertThat(plan.book().openEntries()).isEqualTo(3);
    assertThat(plan.book().openBytes()).isEqualTo(3 * OpenChangeset.bytes("a.txt")).isEqualTo(675);
  }

  @Test
  void findsWhatIsCommitted() {
    var link =
        Changeset.after(
            ChainHash.NONE, "c1", "mine", ChangesetAuthor.caller("ann"), NOW, 1, 0, BODY);
    var book = ChangeLedger.EMPTY.plus(link);

    assertThat(ChangeLedger.EMPTY.head()).isEqualTo(ChainHash.NONE);
    assertThat(book.head()).isEqualTo(link.hash());
    assertThat(book.committed("c1")).contains(link);
    assertThat(book.committed("c2")).isEmpty();
  }

  @Test
  void goesByATimeThatIsNotBeforeItsDecisions() {
    var book =
        with(
            List.of(
                resolution("a", Resolution.Choice.OURS, NOW.plusSeconds(5)),
                resolution("b", Resolution.Choice.OURS, NOW)));

    assertThat(book.notBeforeDecisions(NOW)).isEqualTo(NOW.plusSeconds(5));
    assertThat(book.notBeforeDecisions(NOW.plusSeconds(6))).isEqualTo(NOW.plusSeconds(6));
    assertThat(ChangeLedger.EMPTY.notBeforeDecisions(NOW)).isEqualTo(NOW);
  }

  @Test
  void tellsWhetherAConflictWasDecidedOtherwiseInWhatIsWritten() {
    var other = resolution("a", Resolution.Choice.THEIRS, NOW.plusSeconds(9));
    var same = resolution("a", Resolution.Choice.OURS, NOW.plusSeconds(9));

    assertThat(applied(NOW, NOW).isWrittenOtherwise(other)).isTrue();
    assertThat(applied(NOW, NOW.plusMillis(1)).isWrittenOtherwise(other)).isTrue();
    assertThat(applied(NOW, NOW.minusMillis(1)).isWrittenOtherwise(other)).isFalse();
    assertThat(applied(NOW, NOW).isWrittenOtherwise(same)).isFalse();
    assertThat(applied(NOW, NOW).isWrittenOtherwise(resolution("b", Resolution.Choice.THEIRS, NOW)))
        .isFalse();
  }

  @Test
  void keepsTheLastDecisionOfEachConflict() {
    var again = resolution("a", Resolution.Choice.THEIRS, NOW);

    assertThat(with(List.of(ours("a"), ours("b"))).plus(again).resolutions())
        .containsExactly(ours("b"), again);
  }

  @Test
  void keepsTheLastApplyOfEachOfTheLastHundredDirectories() {
    var book = ChangeLedger.EMPTY;
    for (int number = 1; number <= ChangeLedger.MOST_APPLIED; number++) {
      book = book.written(applied(number, "/" + number, NOW));
    }
    assertThat(book.applied()).hasSize(ChangeLedger.MOST_APPLIED);

    var same = book.written(applied(500, "/2", NOW));
    var other = book.written(applied(500, "/new", NOW));

    assertThat(same.applied()).hasSize(ChangeLedger.MOST_APPLIED);
    assertThat(same.lastApplied("/1")).isPresent();
    assertThat(same.lastApplied("/2")).contains(applied(500, "/2", NOW));
    assertThat(other.applied()).hasSize(ChangeLedger.MOST_APPLIED);
    assertThat(other.lastApplied("/1")).isEmpty();
    assertThat(other.lastApplied("/2")).isPresent();
  }

  @Test
  void isToldHowAnApplyWent() {
    var apply = new StartedApply(3, TARGET, 1, BODY, NOW);
    var begun = ChangeLedger.EMPTY.begin(apply);

    assertThat(begun.applies()).isEqualTo(3);
    assertThat(begun.applying()).isEqualTo(apply);
    assertThat(begun.undone().applying()).isNull();
    assertThat(begun.undone().applies()).isEqualTo(3);
    assertThat(begun.written(applied(3, TARGET, NOW)).applying()).isNull();
  }

  @Test
  void hasAHeadInListsOfPlans() {
    var plan = PlanSamples.situations().get("succeeded, a changeset committed");

    assertThat(PlanHead.of(plan))
        .isEqualTo(new PlanHead(plan.id(), "site", PlanStatus.SUCCEEDED, 2, 2, 1, NOW, NOW));
    var failed = PlanSamples.situations().get("failed");
    assertThat(PlanHead.of(failed).done()).isEqualTo(2);
    var live = PlanHead.of(PlanSamples.situations().get("running"));
    assertThat(live.done()).isZero();
    assertThat(live.endedAt()).isNull();
  }
}
