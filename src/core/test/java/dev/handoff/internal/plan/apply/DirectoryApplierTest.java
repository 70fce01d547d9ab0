package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.JobId;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.ApplyOutcome;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.StartedApply;
import dev.handoff.internal.plan.WrittenApply;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.MapContents;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.Resolution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The changes of a plan")
class DirectoryApplierTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String A = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

  private final MapContents contents = new MapContents();
  private final DirectoryApplier work = new DirectoryApplier(contents);
  private final CancellationSource stop = new CancellationSource();
  private PlanState plan =
      PlanState.create(
          new PlanId("01K9XVW5ZB0000000000000000"),
          new PlanFact.Submitted(
              new PlanSpec(
                  "p",
                  5,
                  false,
                  null,
                  List.of(
                      new PlanSpec.Step(
                          "s", List.of(), new JobId("01K9XVW5ZB0000000000000001"), null, "t")),
                  null),
              NOW,
              false));

  @TempDir Path directory;
  private Path target;

  @BeforeEach
  void makeTarget() throws IOException {
    target = directory.toRealPath().resolve("out");
  }

  private void change(String path, @Nullable String before, @Nullable String after) {
    var set = "c" + (plan.book().started() + 1);
    var entry =
        ChangeEntry.after(
            ChainHash.first(set), path, contents.put(before), contents.put(after), NOW);
    var body = contents.put(BodyCodec.encode(new SetBody(List.of(entry), List.of())));
    fold(new PlanFact.ChangesetStarted(set, "set " + set, "me", NOW));
    fold(new PlanFact.ChangesRecorded(set, List.of(entry)));
    fold(new PlanFact.ChangesetClosed(set, body.sha256(), NOW));
  }

  private void fold(PlanFact fact) {
    plan = plan.apply(fact);
  }

  private StartedApply begin() {
    var book = plan.book();
    return new StartedApply(
        book.applies() + 1, target.toString(), book.chain().size(), book.head(), NOW);
  }

  /// Applies the plan as its actor does.
  private ApplyOutcome apply() {
    var apply = begin();
    fold(new PlanFact.ApplyStarted(apply));
    var outcome = work.write(plan, apply, stop.token());
    fold(
        outcome instanceof ApplyOutcome.Written(var to, var files)
            ? new PlanFact.ApplyWritten(
                new WrittenApply(apply.number(), to, apply.sets(), apply.head(), files.size(), NOW))
            : new PlanFact.ApplyUndone(apply.number(), "not written", NOW));
    return outcome;
  }

  private String read(String path) throws IOException {
    return Files.readString(target.resolve(path));
  }

  @Test
  void areWrittenAsTheOneThatTheyComeTo() throws IOException {
    change("a/b.txt", null, "one\n");
    change("a/b.txt", "one\n", "two\n");
    change("gone.txt", null, "x");
    change("gone.txt", "x", null);

    assertThat(work.check(plan, target.toString())).isInstanceOf(ApplyOutcome.Written.class);
    assertThat(target).doesNotExist();
    assertThat(apply())
        .isEqualTo(
            new ApplyOutcome.Written(
                target.toString(), List.of(new ApplyAnswer.File("a/b.txt", "created", 4))));
    assertThat(read("a/b.txt")).isEqualTo("two\n");
    assertThat(DirectoryTrees.of(target)).hasSize(3);
  }

  @Test
  void whichAreThereAlready_areNotWrittenAgain() {
    change("a.txt", null, "one\n");
    apply();

    assertThat(work.check(plan, target.toString())).isEqualTo(already());
    assertThat(apply()).isEqualTo(already());
    assertThat(plan.book().applied()).hasSize(1);
  }

  private ApplyOutcome already() {
    return new ApplyOutcome.Already(target.toString(), plan.book().applied().getFirst());
  }

  @Test
  void whichSomebodyHasPutThere_areThereWithoutAnApply() {
    change("a.txt", null, "one\n");
    DirectoryTrees.make(target, Map.of("a.txt", "one\n"));

    assertThat(apply()).isEqualTo(new ApplyOutcome.Already(target.toString(), null));
  }

  @Test
  void whichSomebodyHasTakenAway_areWrittenAgain() throws IOException {
    change("a.txt", null, "one\n");
    change("b.txt", null, "two\n");
    apply();
    Files.delete(target.resolve("a.txt"));

    assertThat(apply())
        .isEqualTo(
            new ApplyOutcome.Written(
                target.toString(), List.of(new ApplyAnswer.File("a.txt", "created", 4))));
    assertThat(read("a.txt")).isEqualTo("one\n");
  }

  @Test
  void whichSomebodyHasTakenAwayWithWhatTheyChanged_areInTheWay() {
    DirectoryTrees.make(target, Map.of("a.txt", "zero\n"));
    change("a.txt", "zero\n", "one\n");
    change("b.txt", null, "two\n");
    apply();
    DirectoryTrees.delete(target);

    var problem = "there is no such file; expected: 4 bytes with SHA-256 ";
    assertInTheWay(work.check(plan, target.toString()), problem);
    assertInTheWay(apply(), problem);
    assertThat(target).doesNotExist();
  }

  private void assertInTheWay(ApplyOutcome outcome, String problem) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ApplyOutcome.Conflicted.class,
            conflicted ->
                assertThat(conflicted.problems())
                    .singleElement()
                    .satisfies(one -> assertThat(one.found()).startsWith(problem)));
  }

  @Test
  void whichSomebodyHasChangedSince_areNotCalledThere() throws IOException {
    change("a.txt", null, "one\n");
    change("b.txt", null, "two\n");
    apply();
    Files.writeString(target.resolve("a.txt"), "mine\n");
    Files.delete(target.resolve("b.txt"));

    assertInTheWay(apply(), "it holds something else; expected: 4 bytes");
    assertThat(target.resolve("b.txt")).doesNotExist();
    assertThat(read("a.txt")).isEqualTo("mine\n");
  }

  @Test
  void someOfWhichSomebodyHasPutThere_areWrittenButForThose() throws IOException {
    change("a.txt", null, "one\n");
    change("b.txt", null, "two\n");
    DirectoryTrees.make(target, Map.of("a.txt", "one\n"));
    var others =
        new ApplyOutcome.Written(
            target.toString(), List.of(new ApplyAnswer.File("b.txt", "created", 4)));

    assertThat(work.check(plan, target.toString())).isEqualTo(others);
    assertThat(apply()).isEqualTo(others);
    assertThat(read("b.txt")).isEqualTo("two\n");
  }

  @Test
  void whichSomebodyHasChanged_areInTheWay() throws IOException {
    change("a.txt", null, "one\n");
    change("b.txt", null, "two\n");
    apply();
    Files.writeString(target.resolve("a.txt"), "mine\n");
    change("a.txt", "one\n", "three\n");

    assertThat(apply())
        .isInstanceOfSatisfying(
            ApplyOutcome.Conflicted.class,
            conflicted ->
                assertThat(conflicted.problems())
                    .extracting(ApplyAnswer.Problem::path)
                    .containsExactly("a.txt"));
    assertThat(read("a.txt")).isEqualTo("mine\n");
  }

  @Test
  void whichCameLater_areWrittenOnTopOfTheFormerOnes() throws IOException {
    change("a.txt", null, A);
    apply();
    change("a.txt", A, A + "10\n");
    change("b.txt", null, "new");

    assertThat(apply())
        .isEqualTo(
            new ApplyOutcome.Written(
                target.toString(),
                List.of(
                    new ApplyAnswer.File("a.txt", "modified", A.length() + 3),
                    new ApplyAnswer.File("b.txt", "created", 3))));
    assertThat(read("a.txt")).isEqualTo(A + "10\n");
  }

  @Test
  void ofTwoStepsAreMerged() throws IOException {
    DirectoryTrees.make(target, Map.of("a.txt", A));
    change("a.txt", A, A.replace("1\n", "one\n"));
    change("a.txt", A, A.replace("9\n", "nine\n"));

    assertThat(apply()).isInstanceOf(ApplyOutcome.Written.class);
    assertThat(read("a.txt")).startsWith("one\n2\n").endsWith("8\nnine\n");
  }

  @Test
  void thatDisagree_areNotWrittenBeforeSomebodyHasDecided() throws IOException {
    DirectoryTrees.make(target, Map.of("a.txt", A));
    var ours = A.replace("5\n", "ours\n");
    var theirs = A.replace("5\n", "theirs\n");
    change("a.txt", A, ours);
    change("a.txt", A, theirs);

    var problem =
        new ApplyAnswer.Problem(
            "a.txt",
            "set c1 and set c2 disagree: they changed the same lines",
            contents.put(A).sha256(),
            contents.put(ours).sha256(),
            contents.put(theirs).sha256(),
            List.of("set c1", "set c2"));
    var conflicted = new ApplyOutcome.Conflicted(target.toString(), List.of(problem));
    assertThat(work.check(plan, target.toString())).isEqualTo(conflicted);
    assertThat(apply()).isEqualTo(conflicted);
    assertThat(read("a.txt")).isEqualTo(A);

    fold(
        new PlanFact.Resolved(
            new Resolution(
                "a.txt",
                problem.ancestor(),
                problem.ours(),
                problem.theirs(),
                Resolution.Choice.THEIRS,
                null,
                "me",
                NOW)));
    assertThat(apply()).isInstanceOf(ApplyOutcome.Written.class);
    assertThat(read("a.txt")).isEqualTo(theirs);
  }

  @Test
  void whoseContentIsLost_areNotWritten() {
    change("a.txt", null, "one\n");
    change("b.txt", null, "two\n");
    contents.lose(contents.put("two\n").sha256());

    assertThat(apply()).isInstanceOf(ApplyOutcome.Undone.class);
    assertThat(target).doesNotExist();
  }

  @Test
  void whoseBodyIsLost_areNotWritten() {
    change("a.txt", null, "one\n");
    contents.lose(plan.book().chain().getFirst().body());

    assertThat(work.check(plan, target.toString())).isInstanceOf(ApplyOutcome.Undone.class);
    assertThat(apply()).isInstanceOf(ApplyOutcome.Undone.class);
    assertThat(work.recover(plan, begin())).isInstanceOf(ApplyOutcome.Undone.class);
  }

  @Test
  void areNotWrittenOnceThatIsCancelled() {
    change("a.txt", null, "one\n");
    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "no more", "me"));

    assertThat(apply())
        .isInstanceOfSatisfying(
            ApplyOutcome.Undone.class,
            undone -> {
              assertThat(undone.reason()).contains("no more");
              assertThat(undone.isAsBefore()).isTrue();
            });
    assertThat(target).doesNotExist();
  }

  @Test
  void whoseApplyHadNotBegun_areUndone() throws IOException {
    change("a.txt", null, "one\n");
    Files.createDirectory(target);

    assertThat(work.recover(plan, begin()))
        .isEqualTo(
            new ApplyOutcome.Undone(
                target.toString(), "it was interrupted, and nothing of it is written", false));
  }

  @Test
  void whoseApplyHadEnded_areWritten() {
    change("a.txt", null, "one\n");
    var apply = begin();
    fold(new PlanFact.ApplyStarted(apply));
    var written = work.write(plan, apply, stop.token());

    assertThat(work.recover(plan, apply)).isEqualTo(written);
  }

  /// The target's disk was not mounted when the next engine looked for it.
  @Test
  void halfWrittenToADirectoryThatWasAwayMeanwhile_areUndoneByTheNextApply() throws IOException {
    var apply = halfWritten();
    var away = Files.move(target, directory.resolve("away"));

    assertThat(work.recover(plan, apply))
        .isEqualTo(
            new ApplyOutcome.Undone(
                target.toString(), "it was interrupted, and the directory is not there", false));
    fold(new PlanFact.ApplyUndone(apply.number(), "not there", NOW));
    Files.move(away, target);

    assertThat(work.check(plan, target.toString()))
        .asString()
        .contains("was interrupted there: the next one undoes it first");
    change("b.txt", "two\n", "three\n");
    assertThat(apply()).isInstanceOf(ApplyOutcome.Written.class);
    assertThat(DirectoryTrees.of(target).keySet()).containsExactly("", "a.txt", "b.txt");
    assertThat(read("b.txt")).isEqualTo("three\n");
  }

  @Test
  void areNotWrittenWhereAnEarlierApplyCannotBeFinished() throws IOException {
    change("a.txt", null, "one\n");
    DirectoryTrees.make(
        target.resolve(".handoff-" + plan.id() + "-1"), Map.of("commit", "damaged"));

    assertThat(apply()).asString().contains("-1 was interrupted there", "cannot be used");
    assertThat(target.resolve("a.txt")).doesNotExist();
  }

  @Test
  void areNotAsBeforeWhereSomebodyElseHasChangedThemMeanwhile() {
    change("a.txt", null, "one\n");
    change("b.txt", null, "two\n");
    var disk =
        TriedDisk.of(
            TriedDisk.Before.first(
                "move n1",
                (number, what) -> {
                  Files.writeString(target.resolve("a.txt"), "theirs");
                  throw new IOException("No space left on device");
                }));

    assertThat(new DirectoryApplier(contents, disk).write(plan, begin(), stop.token()))
        .isInstanceOfSatisfying(
            ApplyOutcome.Undone.class,
            undone -> {
              assertThat(undone.reason()).contains("No space left", "by somebody else");
              assertThat(undone.isAsBefore()).isFalse();
            });
  }

  @Test
  void areNotAsBeforeWhereAnEarlierApplyHasBeenUndoneFirst() throws IOException {
    var apply = halfWritten();
    fold(new PlanFact.ApplyUndone(apply.number(), "not there", NOW));
    stop.cancel(new Cancellation(Cancellation.Cause.REQUESTED, "no more", "me"));

    assertThat(apply())
        .isInstanceOfSatisfying(
            ApplyOutcome.Undone.class, undone -> assertThat(undone.isAsBefore()).isFalse());
    assertThat(DirectoryTrees.of(target).keySet()).containsExactly("");
  }

  /// Interrupted apply of two files: the second one is not renamed yet.
  private StartedApply halfWritten() throws IOException {
    change("a.txt", null, "one\n");
    change("b.txt", null, "two\n");
    Files.createDirectory(target);
    var apply = begin();
    fold(new PlanFact.ApplyStarted(apply));
    dieBeforeTheLastMove(apply);
    return apply;
  }

  private void dieBeforeTheLastMove(StartedApply apply) {
    var disk =
        TriedDisk.of(
            TriedDisk.Before.first(
                "move n1",
                (number, what) -> {
                  throw new TriedDisk.Died();
                }));
    var edits = PendingEdits.of(plan, apply.target(), apply.sets(), contents).edits();
    assertThatThrownBy(
            () ->
                EditableDirectory.at(target, disk)
                    .write(plan.id() + "-" + apply.number(), edits, contents, stop.token()))
        .isInstanceOf(TriedDisk.Died.class);
    assertThat(target.resolve("b.txt")).doesNotExist();
  }

  @Test
  void areNotWrittenToWhatIsNoDirectory() throws IOException {
    change("a.txt", null, "one\n");
    Files.writeString(target, "a file");

    assertThat(work.check(plan, target.toString())).isInstanceOf(ApplyOutcome.Undone.class);
    assertThat(apply())
        .isInstanceOfSatisfying(
            ApplyOutcome.Undone.class, undone -> assertThat(undone.isAsBefore()).isFalse());
    assertThat(Files.readString(target)).isEqualTo("a file");
  }
}
