package dev.handoff.plan;

import static dev.handoff.plan.PlanSamples.BODY;
import static dev.handoff.plan.PlanSamples.NOW;
import static dev.handoff.plan.PlanSamples.sha;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.JobId;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Maker;
import dev.handoff.plan.change.Resolution;
import dev.handoff.plan.change.Seal;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The book of a plan")
class BookTest {

  private static final String TARGET = "/srv/site";

  private static Resolution resolution(String path, Resolution.Choice choice, Instant at) {
    return new Resolution(path, null, sha("1"), sha("2"), choice, null, "ann", at);
  }

  private static Resolution ours(String path) {
    return resolution(path, Resolution.Choice.OURS, NOW);
  }

  private static Book with(List<Resolution> resolutions) {
    return new Book(0, null, null, resolutions, 0, null, null);
  }

  private static Applied applied(int number, String target, Instant at) {
    return new Applied(number, target, 1, BODY, 1, at);
  }

  private static Book applied(Instant decided, Instant written) {
    var decision = resolution("a", Resolution.Choice.OURS, decided);
    return with(List.of(decision)).written(applied(1, TARGET, written));
  }

  private static OpenSet open(String id, int label) {
    return OpenSet.empty(id, "l".repeat(label), "ann", NOW);
  }

  private static PlanFact.ChangesetStarted started(int label) {
    return new PlanFact.ChangesetStarted("c9", "l".repeat(label), "ann", NOW);
  }

  @Test
  void hasRoomForDecisionsUpToABoundOfBytes() {
    int half = Book.MOST_RESOLUTION_BYTES / 2 - "ann".length();
    var book = with(List.of(ours("p".repeat(half))));

    assertThat(book.hasRoomFor(ours("q".repeat(half)))).isTrue();
    assertThat(book.hasRoomFor(ours("q".repeat(half + 1)))).isFalse();
  }

  @Test
  void hasRoomForSoManyDecisions() {
    var decisions =
        IntStream.range(0, Book.MOST_RESOLUTIONS).mapToObj(number -> ours("p" + number)).toList();

    assertThat(with(decisions.subList(1, decisions.size())).hasRoomFor(ours("q"))).isTrue();
    assertThat(with(decisions).hasRoomFor(ours("q"))).isFalse();
  }

  @Test
  void hasRoomForLabelsOfOpenAndCommittedChangesetsOfCallers() {
    int left = Book.MOST_LABEL_BYTES - 2 * (100 + "ann".length()) - "ann".length();
    var job = new JobId(PlanSamples.newId());
    var own =
        Changeset.after(Seal.NONE, "c1", "l".repeat(100), Maker.caller("ann"), NOW, 1, 0, BODY);
    var step =
        Changeset.after(
            own.hash(), "j:1", "l".repeat(999), Maker.attempt(job, 1, "a"), NOW, 1, 0, BODY);

    var book = Book.EMPTY.plus(own).plus(step).plus(open("c2", left));

    assertThat(book.hasRoomFor(started(100))).isTrue();
    assertThat(book.hasRoomFor(started(101))).isFalse();
  }

  @Test
  void knowsWhatCallersHaveStarted() {
    var book = Book.EMPTY.plus(open("c1", 1)).plus(open("c2", 1)).plus(open("c3", 1));

    assertThat(book.wasStarted("c1")).isTrue();
    assertThat(book.wasStarted("c3")).isTrue();
    for (var other : List.of("c4", "c0", "c01", "x1", "c", "c1234567890")) {
      assertThat(book.wasStarted(other)).as(other).isFalse();
    }
    assertThat(book.started()).isEqualTo(3);
    assertThat(book.latest()).hasValueSatisfying(set -> assertThat(set.id()).isEqualTo("c3"));
    assertThat(Book.EMPTY.latest()).isEmpty();
    assertThat(book.open("c2")).isPresent();
    assertThat(book.open("c4")).isEmpty();
    assertThat(book.withoutOpen(set -> set.id().equals("c2")).open())
        .extracting(OpenSet::id)
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
    assertThat(plan.book().openBytes()).isEqualTo(3 * OpenSet.bytes("a.txt")).isEqualTo(675);
  }

  @Test
  void findsWhatIsCommitted() {
    var link = Changeset.after(Seal.NONE, "c1", "mine", Maker.caller("ann"), NOW, 1, 0, BODY);
    var book = Book.EMPTY.plus(link);

    assertThat(Book.EMPTY.head()).isEqualTo(Seal.NONE);
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
    assertThat(Book.EMPTY.notBeforeDecisions(NOW)).isEqualTo(NOW);
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
    var book = Book.EMPTY;
    for (int number = 1; number <= Book.MOST_APPLIED; number++) {
      book = book.written(applied(number, "/" + number, NOW));
    }
    assertThat(book.applied()).hasSize(Book.MOST_APPLIED);

    var same = book.written(applied(500, "/2", NOW));
    var other = book.written(applied(500, "/new", NOW));

    assertThat(same.applied()).hasSize(Book.MOST_APPLIED);
    assertThat(same.lastApplied("/1")).isPresent();
    assertThat(same.lastApplied("/2")).contains(applied(500, "/2", NOW));
    assertThat(other.applied()).hasSize(Book.MOST_APPLIED);
    assertThat(other.lastApplied("/1")).isEmpty();
    assertThat(other.lastApplied("/2")).isPresent();
  }

  @Test
  void isToldHowAnApplyWent() {
    var apply = new Applying(3, TARGET, 1, BODY, NOW);
    var begun = Book.EMPTY.begin(apply);

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
