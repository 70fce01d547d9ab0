package dev.handoff.internal.facade.plan;

import static dev.handoff.plan.PlanRequest.after;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreException;
import dev.handoff.UnavailableException;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.internal.text.Ulid;
import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.Change;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangesetAnswer;
import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.Content;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotFoundException;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanStepNotFoundException;
import dev.handoff.plan.Resolution;
import dev.handoff.plan.ResolveAnswer;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreAround;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The changes of a plan")
class PlanChangesetsTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  @TempDir Path folder;

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .cancelling(Duration.ofMillis(10), Duration.ofMillis(300))
            .shutdownGrace(Duration.ZERO)
            .handler("held", Json.class, held)
            .handler("write", String[].class, PlanChangesetsTest::write)
            .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  /// Handler that creates or changes a file. Payload: path, content before, content after.
  private static Object write(String[] file, JobContext job) {
    var change =
        file[1] == null
            ? Change.create(file[0], file[2])
            : Change.modify(file[0], file[1], file[2]);
    job.changes().record(change).toCompletableFuture().join().orThrow();
    return null;
  }

  private static JobRequest write(String path, String before, String after) {
    return JobRequest.of("write", new String[] {path, before, after});
  }

  private PlanHandle open() {
    var plan = handoff.plans().submitOrThrow(PlanRequest.of("p").step("a", JobRequest.of("held")));
    held.next();
    return plan;
  }

  private PlanHandle ended(PlanRequest request) {
    var plan = handoff.plans().submitOrThrow(request);
    assertThat(BoundedWaits.get(plan.result())).isInstanceOf(PlanOutcome.Succeeded.class);
    return plan;
  }

  private PlanHandle inConflict() {
    return ended(
        PlanRequest.of("p")
            .step("base", write("a.txt", null, "one\n"))
            .step("left", write("a.txt", "one\n", "left\n"), after("base"))
            .step("right", write("a.txt", "one\n", "right\n"), after("left")));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void areInTheSetThatTheAnswerNames() {
    var plan = open();
    var first = BoundedWaits.get(plan.startChangeset("first", "me")).orThrow();
    var second = BoundedWaits.get(plan.startChangeset("second", "me")).orThrow();

    assertThat(BoundedWaits.get(plan.record(first, Change.create("a.txt", "a\n"))))
        .isEqualTo(new ChangeAnswer.Recorded(first, 1));
    assertThat(BoundedWaits.get(plan.record(Change.create("b.txt", "b\n"))))
        .isEqualTo(new ChangeAnswer.Recorded(second, 1));
    assertThat(BoundedWaits.get(plan.info()).orElseThrow().openChangesets()).hasSize(2);
    assertThat(BoundedWaits.get(plan.info()).orElseThrow().toJson())
        .contains("\"open\":[{\"id\":\"c1\",\"label\":\"first\",\"by\":\"me\"");
    assertThat(BoundedWaits.get(plan.diff(first)).orElseThrow().text())
        .contains("+a")
        .doesNotContain("+b");
    assertThat(BoundedWaits.get(plan.diff()).text()).isEmpty();

    BoundedWaits.get(plan.close(second)).orThrow();
    BoundedWaits.get(plan.discard(first)).orThrow();

    assertThat(BoundedWaits.get(plan.changesets()))
        .extracting(ChangesetInfo::label)
        .containsExactly("second");
    assertThat(BoundedWaits.get(plan.diff()).text()).contains("+b").doesNotContain("+a\n");
    assertThat(BoundedWaits.get(plan.diff(second)).orElseThrow().report().counts().created())
        .isEqualTo(1);
    assertThat(BoundedWaits.get(plan.diff("c9"))).isEmpty();
    assertThat(BoundedWaits.get(plan.info()).orElseThrow().toJson())
        .contains("\"label\":\"second\"");
  }

  @Test
  void areRefusedWithTheReason() {
    var plan = open();
    var set = BoundedWaits.get(plan.startChangeset("first", "me")).orThrow();
    BoundedWaits.get(plan.close(set)).orThrow();
    var change = Change.create("a.txt", "a\n");

    assertThat(BoundedWaits.get(plan.record(change)))
        .isEqualTo(new ChangeAnswer.NoActiveChangeset());
    assertThatThrownBy(() -> BoundedWaits.get(plan.record(change)).orThrow())
        .hasMessage("No active changeset: start one first");
    assertThat(BoundedWaits.get(plan.record(set, change)))
        .isEqualTo(new ChangeAnswer.ChangesetClosed(set, true));
    assertThat(BoundedWaits.get(plan.record("x", change)))
        .isEqualTo(new ChangeAnswer.UnknownChangeset("x"));
    assertThat(BoundedWaits.get(plan.record(Change.create("../a", "a"))))
        .isInstanceOf(ChangeAnswer.Invalid.class);
    assertThat(
            BoundedWaits.get(
                plan.record(set, new Change.Delete("a.txt", Content.stored("0".repeat(64))))))
        .isInstanceOf(ChangeAnswer.UnknownBase.class);
    assertThat(BoundedWaits.get(plan.close(set)))
        .isEqualTo(new ChangesetAnswer.ChangesetClosed(set, true));
    assertThat(BoundedWaits.get(plan.discard("x")))
        .isEqualTo(new ChangesetAnswer.UnknownChangeset("x"));
    assertThatThrownBy(() -> BoundedWaits.get(plan.discard("x")).orThrow())
        .hasMessageContaining("\"x\"");
    assertThatThrownBy(() -> BoundedWaits.get(plan.close(set)).orThrow())
        .hasMessageContaining("closed");
  }

  @Test
  void areNotTakenOnceThePlanIsOver() {
    var plan = ended(PlanRequest.of("p").step("a", write("a.txt", null, "a\n")));

    assertThat(BoundedWaits.get(plan.startChangeset("late", "me")))
        .isEqualTo(new ChangesetAnswer.NotPossible("plan " + plan.id() + " has succeeded"));
    assertThatThrownBy(() -> BoundedWaits.get(plan.startChangeset("late", "me")).orThrow())
        .hasMessageContaining("has succeeded");
    assertThat(BoundedWaits.get(plan.record(Change.create("b", "b"))))
        .isEqualTo(new ChangeAnswer.Refused("plan " + plan.id() + " has succeeded"));
  }

  @Test
  void areShownByPlanByChangesetAndByStep() {
    var plan =
        ended(
            PlanRequest.of("p")
                .step("a", write("a.txt", null, "one\n"))
                .plan("inner", PlanRequest.of("inner").step("b", write("b.txt", null, "two\n")))
                .step("c", write("a.txt", "one\n", "one\nmore\n"), after("a")));

    assertThat(BoundedWaits.get(plan.diff()).report().counts().files()).isEqualTo(2);
    assertThat(BoundedWaits.get(plan.diff()).text()).contains("+one\n+more\n", "+two\n");
    assertThat(BoundedWaits.get(plan.diffOfStep("c")).text()).contains(" one\n+more\n");
    assertThat(BoundedWaits.get(plan.diffOfStep("inner/b")).text()).contains("+two\n");
    assertThat(BoundedWaits.get(plan.diffOfStep("inner")).text()).contains("+two\n");
    var child = BoundedWaits.get(plan.info()).orElseThrow().steps().get(1).plan().orElseThrow();
    var inner = handoff.plans().plan(child.id());
    assertThat(BoundedWaits.get(inner.diff()).text()).contains("+two\n").doesNotContain("one");
    assertThat(BoundedWaits.get(inner.diffOfStep("b")).text()).contains("+two\n");
    assertThat(BoundedWaits.get(inner.apply(folder))).isInstanceOf(ApplyAnswer.NotPossible.class);
    assertNoStep(plan, "none", "no step \"none\": there are a, inner, c");
    assertNoStep(plan, "inner/none", "no step \"inner/none\": there are inner/b");
    assertNoStep(plan, "inner/", "there are inner/b");
    assertNoStep(plan, "a/b", "\"a\" is a job");
    assertNoStep(inner, "inner/b", "there are b");
  }

  private static void assertNoStep(PlanHandle plan, String step, String why) {
    assertThatThrownBy(() -> BoundedWaits.get(plan.diffOfStep(step)))
        .isInstanceOf(PlanStepNotFoundException.class)
        .hasMessageContaining(plan.id().value())
        .hasMessageEndingWith(why);
  }

  @Test
  void areWrittenToDirectoriesOfThisMachineAlone() throws IOException {
    var plan = ended(PlanRequest.of("p").step("a", write("a.txt", null, "one\n")));
    var archive = URI.create("jar:" + folder.resolve("a.zip").toUri());
    try (var zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      var inside = zip.getPath(folder.resolve("out").toString());

      assertNotPossible(plan.apply(inside), "not in the file system of this machine");
      assertNotPossible(plan.check(inside), "not in the file system of this machine");
    }
    assertNotPossible(plan.check(Path.of("")), "name a directory");
    assertThat(folder.resolve("out")).doesNotExist();
    assertThat(BoundedWaits.get(plan.info()).orElseThrow().applied()).isEmpty();
  }

  private static void assertNotPossible(CompletionStage<ApplyAnswer> answer, String why) {
    assertThat(BoundedWaits.get(answer))
        .isInstanceOfSatisfying(
            ApplyAnswer.NotPossible.class, not -> assertThat(not.reason()).contains(why));
  }

  @Test
  void areWrittenOnceToADirectory() throws IOException {
    var plan = ended(PlanRequest.of("p").step("a", write("a/b.txt", null, "one\n")));
    var target = folder.resolve("out");

    assertThat(BoundedWaits.get(plan.check(target))).isInstanceOf(ApplyAnswer.Possible.class);
    assertThat(target).doesNotExist();
    assertThat(BoundedWaits.get(plan.apply(target)))
        .isInstanceOfSatisfying(
            ApplyAnswer.Applied.class, applied -> assertThat(applied.files()).hasSize(1));
    assertThat(target.resolve("a/b.txt")).hasContent("one\n");
    assertThat(BoundedWaits.get(plan.apply(target)))
        .isInstanceOfSatisfying(
            ApplyAnswer.AlreadyApplied.class, already -> assertThat(already.apply()).isPresent());
    var info = BoundedWaits.get(plan.info()).orElseThrow();
    assertThat(info.applied()).isNotEmpty();
    assertThat(info.toJson())
        .contains("\"step\":\"a\",\"job\":\"")
        .contains("\"changesets\":1,\"files\":1");
    assertThat(BoundedWaits.get(plan.verify())).isInstanceOf(ChainVerdict.Intact.class);

    var other = Files.createDirectories(folder.resolve("other/a"));
    Files.writeString(other.resolve("b.txt"), "mine\n");
    assertThat(BoundedWaits.get(plan.apply(folder.resolve("other"))))
        .isInstanceOfSatisfying(
            ApplyAnswer.Conflicted.class,
            not -> assertThat(not.problems().getFirst().path()).isEqualTo("a/b.txt"));
    assertThat(other.resolve("b.txt")).hasContent("mine\n");
    assertThat(BoundedWaits.get(plan.apply(folder.resolve("no/such/place"))))
        .isInstanceOf(ApplyAnswer.Undone.class);
  }

  @Test
  void thatComeToNothingAreNotApplied() {
    assertThat(BoundedWaits.get(open().apply(folder))).isEqualTo(new ApplyAnswer.NothingToApply());
  }

  @Test
  void thatContradictEachOtherAreToBeDecided() {
    var plan = inConflict();

    var conflict = BoundedWaits.get(plan.conflicts()).getFirst();
    assertThat(conflict.path()).isEqualTo("a.txt");
    assertThat(conflict.entry().why()).isEqualTo(PlanConflict.Why.SAME_LINES);
    assertThat(text(conflict.ancestor().orElseThrow())).isEqualTo("one\n");
    assertThat(text(conflict.ours().orElseThrow())).isEqualTo("left\n");
    assertThat(text(conflict.theirs().orElseThrow())).isEqualTo("right\n");
    assertThat(BoundedWaits.get(plan.apply(folder.resolve("out"))))
        .isInstanceOf(ApplyAnswer.Conflicted.class);
    assertThat(BoundedWaits.get(plan.resolve("b.txt", Resolution.Choice.OURS, "me")))
        .isEqualTo(new ResolveAnswer.NoConflict("b.txt", List.of("a.txt")));

    assertThat(BoundedWaits.get(plan.resolve("a.txt", Resolution.Choice.THEIRS, "me")))
        .isEqualTo(new ResolveAnswer.Resolved("a.txt", List.of()));

    assertThat(BoundedWaits.get(plan.conflicts())).isEmpty();
    assertThat(BoundedWaits.get(plan.apply(folder.resolve("out"))))
        .isInstanceOf(ApplyAnswer.Applied.class);
    assertThat(folder.resolve("out/a.txt")).hasContent("right\n");
  }

  @Test
  void areDecidedWithThePlanAtTheTop() {
    var plan =
        ended(
            PlanRequest.of("p")
                .step("base", write("a.txt", null, "one\n"))
                .plan(
                    "inner",
                    PlanRequest.of("inner")
                        .step("left", write("a.txt", "one\n", "left\n"))
                        .step("right", write("a.txt", "one\n", "right\n"), after("left")),
                    after("base")));
    var inner =
        BoundedWaits.get(plan.info()).orElseThrow().steps().getLast().plan().orElseThrow().id();

    assertThat(
            BoundedWaits.get(
                handoff.plans().plan(inner).resolve("a.txt", Resolution.Choice.OURS, "me")))
        .isInstanceOfSatisfying(
            ResolveAnswer.NotPossible.class,
            not -> assertThat(not.reason()).contains(plan.id().value()));
  }

  @Test
  void mayBeDecidedForEitherSideOrForSomethingElse() {
    var ours = inConflict();
    BoundedWaits.get(ours.resolve("a.txt", Resolution.Choice.OURS, "me"));
    assertThat(BoundedWaits.get(ours.diff()).text()).contains("+left");

    var both = inConflict();
    var content = "left and right\n".getBytes(StandardCharsets.UTF_8);
    assertThat(BoundedWaits.get(both.resolve("a.txt", content, "me")))
        .isInstanceOf(ResolveAnswer.Resolved.class);
    assertThat(BoundedWaits.get(both.diff()).text()).contains("+left and right");

    var large = inConflict();
    assertThat(BoundedWaits.get(large.resolve("a.txt", new byte[Content.MOST_BYTES + 1], "me")))
        .isInstanceOf(ResolveAnswer.NotPossible.class);
    assertThatThrownBy(() -> large.resolve("a.txt", Resolution.Choice.CONTENT, "me"))
        .isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void ofAPlanThatNeverWasAreNotFound() {
    var plan = handoff.plans().plan(new PlanId(new Ulid(new Random()).next(0, 1)));

    assertThat(BoundedWaits.get(plan.startChangeset("x", "me")))
        .isEqualTo(new ChangesetAnswer.NotFound(plan.id()));
    assertThatThrownBy(() -> BoundedWaits.get(plan.startChangeset("x", "me")).orThrow())
        .hasMessageContaining("does not exist");
    assertThat(BoundedWaits.get(plan.record(Change.create("a", "a"))))
        .isInstanceOf(ChangeAnswer.Refused.class);
    assertThat(BoundedWaits.get(plan.apply(folder))).isEqualTo(new ApplyAnswer.NotFound(plan.id()));
    assertThat(BoundedWaits.get(plan.resolve("a", Resolution.Choice.OURS, "me")))
        .isEqualTo(new ResolveAnswer.NotFound(plan.id()));
    assertThatThrownBy(() -> BoundedWaits.get(plan.diff()))
        .isInstanceOf(PlanNotFoundException.class);
    assertThatThrownBy(() -> BoundedWaits.get(plan.changesets()))
        .isInstanceOf(PlanNotFoundException.class);
  }

  @Test
  void cannotBeReadWhileTheStoreIsAway() {
    var plan = inConflict();
    handoff.close();
    handoff =
        EngineBuilder.on(actors.system())
            .store(home.store())
            .around(PlanChangesetsTest::withoutContents)
            .start();
    var same = handoff.plans().plan(plan.id());

    assertThatThrownBy(() -> BoundedWaits.get(same.diff()))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("gone fishing");
    assertThat(BoundedWaits.get(same.resolve("a.txt", Resolution.Choice.OURS, "me")))
        .isInstanceOfSatisfying(
            ResolveAnswer.Unavailable.class,
            away -> assertThat(away.reason()).isEqualTo("gone fishing"));
  }

  private static Store withoutContents(Store inner) {
    return new StoreAround(inner) {
      @Override
      public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
        return CompletableFuture.failedStage(new StoreException.Unavailable("gone fishing", null));
      }
    };
  }

  @Test
  void cannotBeAskedForOnceTheEngineHasEnded() {
    var plan = open();
    handoff.close();

    assertThat(BoundedWaits.get(plan.startChangeset("x", "me")))
        .isInstanceOf(ChangesetAnswer.Unavailable.class);
    assertThatThrownBy(() -> BoundedWaits.get(plan.startChangeset("x", "me")).orThrow())
        .hasMessageContaining("try again");
    assertThat(BoundedWaits.get(plan.record(Change.create("a", "a"))))
        .isInstanceOf(ChangeAnswer.Unavailable.class);
    assertThat(BoundedWaits.get(plan.apply(folder))).isInstanceOf(ApplyAnswer.Unavailable.class);
    assertThat(BoundedWaits.get(plan.resolve("a", Resolution.Choice.OURS, "me")))
        .isInstanceOf(ResolveAnswer.Unavailable.class);
    assertThatThrownBy(() -> BoundedWaits.get(plan.verify()))
        .isInstanceOf(UnavailableException.class);
    start();
  }
}
