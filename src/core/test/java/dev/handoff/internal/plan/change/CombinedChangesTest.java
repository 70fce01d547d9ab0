package dev.handoff.internal.plan.change;

import static dev.handoff.internal.plan.change.ChainSamples.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.Resolution;
import dev.handoff.plan.UnreadableChanges;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What changesets come to")
class CombinedChangesTest {

  private static final String BASE = "a\nb\nc\nd\ne\nf\n";
  private static final String TOP = "A\nb\nc\nd\ne\nf\n";
  private static final String END = "a\nb\nc\nd\ne\nF\n";
  private static final String BOTH = "A\nb\nc\nd\ne\nF\n";

  private final ChainSamples chains = new ChainSamples();

  @Test
  void isNothingWithoutAny() {
    assertThat(net(List.of())).isEqualTo(new CombinedChanges(List.of(), List.of(), Map.of()));
  }

  @Test
  void isTheLastOfThoseThatFollowEachOther() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("a", null, "1"), edit("b", "x", "y")),
                chains.part("c2", edit("a", "1", "2")),
                chains.part("c3", edit("a", "2", "3"), edit("c", "gone", null))));

    assertThat(net.conflicts()).isEmpty();
    assertThat(net.changes())
        .extracting(
            CombinedChange::path, change -> text(change.base()), change -> text(change.now()))
        .containsExactly(tuple("a", null, "3"), tuple("b", "x", "y"), tuple("c", "gone", null));
    assertThat(net.changes().getFirst().changesets()).containsExactly("c1", "c2", "c3");
    assertThat(net.changes()).noneMatch(CombinedChange::merged);
    assertThat(chains.contents.asked).isEmpty();
  }

  @Test
  void leavesOutWhatIsAsItWas() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("a", null, "1"), edit("b", "x", "y")),
                chains.part("c2", edit("a", "1", null), edit("b", "y", "x"))));

    assertThat(net.changes()).isEmpty();
  }

  @Test
  void takesTheSameChangeFromTwoSidesOnce() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("a", BASE, TOP), edit("b", null, "1"), edit("c", "x", null)),
                chains.part(
                    "c2", edit("a", BASE, TOP), edit("b", null, "1"), edit("c", "x", null))));

    assertThat(chains.contents.asked).isEmpty();
    assertThat(net.conflicts()).isEmpty();
    assertThat(now(net, "a")).isEqualTo(TOP);
    assertThat(now(net, "b")).isEqualTo("1");
    assertThat(now(net, "c")).isNull();
  }

  @Test
  void hasBothChangesOfDifferentPlaces() {
    var net = net(parallel());

    assertThat(net.conflicts()).isEmpty();
    assertThat(now(net, "f")).isEqualTo(BOTH);
    assertThat(net.changes().getFirst().merged()).isTrue();
    assertThat(net.merged()).containsOnlyKeys(net.changes().getFirst().now().sha256());
    assertThat(net.changes().getFirst().now().bytes()).isEqualTo(BOTH.length());
  }

  @Test
  void followsAStepAlsoWhenAnotherCameBetween() {
    var first = chains.part("a", edit("f", BASE, TOP));
    var beside = chains.part("c", edit("f", BASE, END));
    var second = chains.part("b", edit("f", TOP, "A\nb\nc\nnew\nd\ne\nf\n"));

    var net = net(List.of(first, beside, second));

    assertThat(net.conflicts()).isEmpty();
    assertThat(now(net, "f")).isEqualTo("A\nb\nc\nnew\nd\ne\nF\n");
    assertThat(net.merged()).hasSize(1);
    assertThat(net.changes().getFirst().changesets()).containsExactly("a", "c", "b");
  }

  @Test
  void isNotMergedWhereTheLaterChangeIsAPartOfWhatThereIs() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("f", BASE, BOTH)), chains.part("c2", edit("f", BASE, END))));

    assertThat(now(net, "f")).isEqualTo(BOTH);
    assertThat(net.changes()).noneMatch(CombinedChange::merged);
    assertThat(net.merged()).isEmpty();
  }

  @Test
  void isInConflictWhereLinesTouch() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("f", BASE, TOP), edit("g", "1", "2")),
                chains.part("c2", edit("f", BASE, "x\n" + BASE), edit("g", "2", "3"))));

    assertThat(net.conflicts())
        .containsExactly(
            new PlanConflict.Entry(
                "f",
                chains.contents.put(BASE),
                chains.contents.put(TOP),
                chains.contents.put("x\n" + BASE),
                "c1",
                "c2",
                PlanConflict.Why.SAME_LINES));
    assertThat(now(net, "f")).isEqualTo(TOP);
    assertThat(now(net, "g")).isEqualTo("3");
  }

  @Test
  void isInConflictWhereOneDeletedWhatTheOtherChanged() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("f", BASE, null), edit("g", BASE, TOP)),
                chains.part("c2", edit("f", BASE, TOP), edit("g", BASE, null))));

    assertThat(net.conflicts())
        .extracting(PlanConflict.Entry::path, PlanConflict.Entry::why)
        .containsExactly(
            tuple("f", PlanConflict.Why.DELETED_AND_CHANGED),
            tuple("g", PlanConflict.Why.DELETED_AND_CHANGED));
    assertThat(net.conflicts().get(0).ours()).isNull();
    assertThat(net.conflicts().get(1).theirs()).isNull();
    assertThat(now(net, "f")).isNull();
    assertThat(now(net, "g")).isEqualTo(TOP);
  }

  @Test
  void isInConflictWhereBothCreatedAFile() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("f", null, "1")), chains.part("c2", edit("f", null, "2"))));

    assertThat(net.conflicts())
        .extracting(PlanConflict.Entry::why)
        .containsExactly(PlanConflict.Why.BOTH_CREATED);
    assertThat(net.conflicts().getFirst().ancestor()).isNull();
    assertThat(chains.contents.asked).isEmpty();
  }

  @Test
  void isInConflictWhereTheContentIsNoText() {
    var net =
        net(
            List.of(
                chains.part("c1", edit("f", BASE + "\0", TOP + "\0")),
                chains.part("c2", edit("f", BASE + "\0", END + "\0"))));

    assertThat(net.conflicts())
        .extracting(PlanConflict.Entry::why)
        .containsExactly(PlanConflict.Why.NOT_TEXT);
  }

  @Test
  void isInConflictWhereTheContentIsTooLarge() {
    var large = "x".repeat((int) PendingMerge.MOST_BYTES + 1);

    var net =
        net(
            List.of(
                chains.part("c1", edit("f", BASE, TOP)),
                chains.part("c2", edit("f", BASE, large))));

    assertThat(net.conflicts())
        .extracting(PlanConflict.Entry::why)
        .containsExactly(PlanConflict.Why.TOO_LARGE);
    assertThat(chains.contents.asked).isEmpty();
  }

  @Test
  void tellsOfAFileItsFirstConflictAlone() {
    var parts =
        List.of(
            chains.part("c1", edit("f", BASE, TOP)),
            chains.part("c2", edit("f", BASE, "x\n")),
            chains.part("c3", edit("f", BASE, "y\n")),
            chains.part("c4", edit("f", BASE, END)));

    var net = net(parts);

    assertThat(net.conflicts()).extracting(PlanConflict.Entry::theirsFrom).containsExactly("c2");
    assertThat(now(net, "f")).isEqualTo(BOTH);
  }

  @Test
  void endsAConflictAsSomebodyHasSaid() {
    var parts =
        List.of(
            chains.part("c1", edit("f", BASE, TOP)),
            chains.part("c2", edit("f", BASE, "x\n")),
            chains.part("c3", edit("f", "x\n", "x\ny\n")));
    var conflict = net(parts).conflicts().getFirst();
    var by = "somebody";

    var theirs = net(parts, Resolution.theirs(conflict, by, ChainSamples.AT));
    var ours = net(parts, Resolution.ours(conflict, by, ChainSamples.AT));
    var content =
        net(parts, Resolution.content(conflict, chains.contents.put("x\n"), by, ChainSamples.AT));

    assertThat(theirs.conflicts()).isEmpty();
    assertThat(now(theirs, "f")).isEqualTo("x\ny\n");
    assertThat(theirs.merged()).isEmpty();
    assertThat(ours.conflicts()).extracting(PlanConflict.Entry::theirsFrom).containsExactly("c3");
    assertThat(ours.conflicts().getFirst().oursFrom()).isEqualTo("c1");
    assertThat(content.conflicts()).isEmpty();
    assertThat(now(content, "f")).isEqualTo("x\ny\n");
  }

  @Test
  void endsAConflictAsWasSaidLast() {
    var parts =
        List.of(chains.part("c1", edit("f", null, "1")), chains.part("c2", edit("f", null, "2")));
    var conflict = net(parts).conflicts().getFirst();

    var net =
        net(
            parts,
            Resolution.ours(conflict, "first", ChainSamples.AT),
            Resolution.theirs(conflict, "second", ChainSamples.AT));

    assertThat(now(net, "f")).isEqualTo("2");
  }

  @Test
  void takesNoResolutionOfOtherContents() {
    var parts =
        List.of(chains.part("c1", edit("f", null, "1")), chains.part("c2", edit("f", null, "2")));
    var conflict = net(parts).conflicts().getFirst();
    var said = Resolution.theirs(conflict, "somebody", ChainSamples.AT);

    var otherOurs =
        List.of(chains.part("c1", edit("f", null, "one")), chains.part("c2", edit("f", null, "2")));
    var otherTheirs =
        List.of(chains.part("c1", edit("f", null, "1")), chains.part("c2", edit("f", null, "two")));
    var otherAncestor =
        List.of(chains.part("c1", edit("f", "0", "1")), chains.part("c2", edit("f", "0", "2")));
    var otherPath =
        List.of(chains.part("c1", edit("g", null, "1")), chains.part("c2", edit("g", null, "2")));

    for (var other : List.of(otherOurs, otherTheirs, otherAncestor, otherPath)) {
      assertThat(net(other, said).conflicts()).hasSize(1);
    }
    assertThat(net(parts, said).conflicts()).isEmpty();
  }

  @Test
  void needsAContentExactlyIfThatIsHowAConflictEnds() {
    var conflict =
        new PlanConflict.Entry("f", null, null, null, "c1", "c2", PlanConflict.Why.BOTH_CREATED);

    assertThatThrownBy(() -> Resolution.content(conflict, null, "somebody", ChainSamples.AT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"f\"");
  }

  @Test
  void keepsTheMergedContentThatAConflictIsAbout() {
    var parts = new ArrayList<>(parallel());
    parts.add(chains.part("c3", edit("f", BASE, "x\n")));

    var net = net(parts);
    var ours = net.conflicts().getFirst().ours();
    var resolved = net(parts, Resolution.theirs(net.conflicts().getFirst(), "me", ChainSamples.AT));

    assertThat(new String(net.merged().get(ours.sha256()), StandardCharsets.UTF_8)).isEqualTo(BOTH);
    assertThat(net.over(chains.contents).read(List.of(ours.sha256()))).hasSize(1);
    assertThat(net.over(chains.contents).asStored(ours.sha256())).asString().isEqualTo(BOTH);
    assertThat(
            net.over(chains.contents)
                .asStored(ChainHash.of("x\n".getBytes(StandardCharsets.UTF_8))))
        .hasSize(2);
    assertThat(resolved.merged()).isEmpty();
    assertThat(now(resolved, "f")).isEqualTo("x\n");
  }

  @Test
  void doesNotGuessWhatIsMissing() {
    var parts = parallel();
    chains.contents.lose(ChainHash.of(END.getBytes(StandardCharsets.UTF_8)));

    assertThatThrownBy(() -> net(parts))
        .isInstanceOf(UnreadableChanges.class)
        .hasMessageContaining("The content of \"f\" in changeset c2 (label of c2) is missing")
        .hasMessageEndingWith("verify the plan to see all that was altered");
  }

  @Test
  void doesNotGuessWhatIsDamaged() {
    var parts = parallel();
    chains.contents.damage(
        ChainHash.of(TOP.getBytes(StandardCharsets.UTF_8)),
        "other".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> net(parts))
        .isInstanceOf(UnreadableChanges.class)
        .hasMessageContaining("The content of \"f\" after changeset c1")
        .hasMessageContaining("is damaged");
  }

  @Test
  void asksForManyContentsAtOnceAndForFewMegabytes() {
    var half = "x".repeat(1 << 20) + "\n";
    var one = new ArrayList<ChainSamples.Edit>();
    var two = new ArrayList<ChainSamples.Edit>();
    for (int i = 0; i < 12; i++) {
      one.add(edit("f" + i, i + "\n" + half + BASE, i + "\n" + half + TOP));
      two.add(edit("f" + i, i + "\n" + half + BASE, i + "\n" + half + END));
    }

    var net =
        net(
            List.of(
                chains.part("c1", one.toArray(new ChainSamples.Edit[0])),
                chains.part("c2", two.toArray(new ChainSamples.Edit[0]))));

    assertThat(net.conflicts()).isEmpty();
    assertThat(net.merged()).hasSize(12);
    assertThat(chains.contents.asked).hasSize(3);
    assertThat(chains.contents.asked)
        .allSatisfy(asked -> assertThat(megabytes(asked)).isLessThan(17));
  }

  private double megabytes(Collection<String> asked) {
    return asked.stream().mapToLong(sha -> chains.contents.asStored(sha).length).sum() / 1048576.0;
  }

  @Test
  void sinceAnEarlierStateIsWhatIsLeftToBeWritten() {
    var first =
        List.of(
            chains.part(
                "c1",
                edit("a", null, "1"),
                edit("b", "0", "1"),
                edit("c", "0", null),
                edit("d", "0", "1")));
    var all = new ArrayList<>(first);
    all.add(
        chains.part(
            "c2",
            edit("a", "1", "2"),
            edit("b", "1", "0"),
            edit("c", null, "0"),
            edit("e", null, "1")));

    var since = net(all).since(net(first));

    assertThat(since)
        .extracting(FileEdit::path, file -> text(file.before()), file -> text(file.after()))
        .containsExactly(
            tuple("a", "1", "2"),
            tuple("b", "1", "0"),
            tuple("c", null, "0"),
            tuple("e", null, "1"));
    assertThat(net(all).since(net(all))).isEmpty();
    assertThat(net(all).since(net(List.of()))).isEqualTo(net(all).differences());
  }

  private List<LoadedChangeset> parallel() {
    return List.of(
        chains.part("c1", edit("f", BASE, TOP)), chains.part("c2", edit("f", BASE, END)));
  }

  private CombinedChanges net(List<LoadedChangeset> parts, Resolution... resolutions) {
    return CombinedChanges.of(parts, List.of(resolutions), chains.contents);
  }

  private @Nullable String now(CombinedChanges net, String path) {
    var change = net.changes().stream().filter(one -> one.path().equals(path)).findFirst();
    var ref = change.orElseThrow().now();
    return ref == null
        ? null
        : new String(
            net.over(chains.contents).read(List.of(ref.sha256())).get(ref.sha256()),
            StandardCharsets.UTF_8);
  }

  private @Nullable String text(@Nullable ContentRef ref) {
    return ref == null ? null : chains.contents.text(ref);
  }
}
