package dev.handoff.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.TestPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A step in a working copy")
class CaptureTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  @TempDir Path temp;

  private final HeldHandler held = new HeldHandler();
  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final BlockingQueue<Path> copies = new LinkedBlockingQueue<>();
  private Path source;
  private Handoff handoff;

  @BeforeEach
  void start() throws IOException {
    source = Files.createDirectories(temp.resolve("source"));
    Files.writeString(source.resolve("a.txt"), "a");
    handoff =
        builder()
            .handler("held", Json.class, held)
            .handler("append", String.class, Capture.of(source).handler(this::append))
            .handler("nothing", String.class, Capture.fromNothing().handler(this::append))
            .start();
  }

  private HandoffBuilder builder() {
    return Handoff.on(actors.system())
        .store(home.store())
        .workers(4)
        .cancelling(Duration.ofMillis(50), Duration.ofSeconds(10))
        .shutdownGrace(Duration.ZERO);
  }

  /// Handler that appends to a file, and fails on request.
  private Object append(String text, JobContext job, Path directory) throws Exception {
    copies.add(directory);
    var file = directory.resolve("a.txt");
    Files.writeString(file, (Files.exists(file) ? Files.readString(file) : "") + text);
    if (text.startsWith("fail")) {
      throw new IOException("told to");
    }
    if (text.startsWith("wait")) {
      job.cancellation().await(Duration.ofSeconds(30));
      job.cancellation().throwIfCancelled();
    }
    return Files.readString(file);
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private static JobRequest append(String text) {
    return JobRequest.of("append", text).maxAttempts(1);
  }

  private List<Path> left() {
    var directory = home.directory().resolve("working-copies");
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  @Test
  void seesWhatTheStepsBeforeItHaveMade() throws Exception {
    var plan =
        TestPlan.submit(
            handoff,
            TestPlan.step(handoff, "one", append("1")),
            TestPlan.child("in", List.of("one"), TestPlan.step(handoff, "two", append("2"))),
            TestPlan.step(handoff, "three", append("3"), "in"),
            TestPlan.step(handoff, "beside", JobRequest.of("nothing", "x")));

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
    assertThat(plan.changes())
        .containsExactlyInAnyOrder(
            "a.txt: a -> a1", "a.txt: a1 -> a12", "a.txt: a12 -> a123", "a.txt: none -> x");
    assertThat(Files.readString(source.resolve("a.txt"))).isEqualTo("a");
    assertThat(left()).isEmpty();
  }

  @Test
  void leavesNoCopyWhenItFails() {
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", append("fail")));

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.FAILED);
    assertThat(BoundedWaits.take(copies)).doesNotExist();
    assertThat(plan.chain()).isEmpty();
    assertThat(left()).isEmpty();
  }

  @Test
  void leavesNoCopyWhenItIsCancelled() {
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", append("wait")));
    var copy = BoundedWaits.take(copies);

    BoundedWaits.get(handoff.cancel(plan.jobId("one"), "not needed").ended());
    plan.ended();

    BoundedWaits.until("the copy is gone", () -> !Files.exists(copy));
    assertThat(plan.chain()).isEmpty();
  }

  @Test
  void leavesNoCopyThatItsHandlerForgetsToClose() throws Exception {
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", JobRequest.of("held")));
    var attempt = held.next();
    var copy = attempt.job().workingCopy(Capture.of(source));
    Files.writeString(copy.path().resolve("b.txt"), "b");
    assertThat(copy.record()).isEqualTo(1);
    assertThatThrownBy(copy::record).isInstanceOf(IllegalStateException.class);

    attempt.succeed(null);
    plan.ended();

    assertThat(copy.path()).doesNotExist();
  }

  @Test
  void keepsItsCopyOnRequest() throws Exception {
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", JobRequest.of("held")));
    var attempt = held.next();
    var wanted = Capture.of(source).keeping();
    Path path;
    try (var copy = attempt.job().workingCopy(wanted)) {
      path = copy.path();
      copy.record();
    }
    attempt.succeed(null);
    plan.ended();

    assertThat(wanted.isKept()).isTrue();
    assertThat(path.resolve("a.txt")).exists();
    assertThat(plan.job("one").trail().log()).containsExactly("the working copy is kept: " + path);
    assertThat(plan.chain()).isEmpty();
  }

  /// A partial result would be worse than none.
  @Test
  void commitsNothingIfNotAllOfItCanBeRecorded() throws Exception {
    var plan =
        TestPlan.submit(
            handoff, TestPlan.step(handoff, "one", JobRequest.of("held").maxAttempts(1)));
    var attempt = held.next();
    BoundedWaits.get(attempt.job().changes().record(Change.create("x.txt", "x")));
    var copy = attempt.job().workingCopy(Capture.of(source));
    Files.createSymbolicLink(copy.path().resolve("link"), temp);
    assertThatThrownBy(copy::record).isInstanceOf(CaptureException.class);

    attempt.succeed("although it failed");

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.FAILED);
    assertThat(plan.state().steps().all().getFirst().reason())
        .contains("what changed in its working copy was not recorded");
    assertThat(plan.chain()).isEmpty();
  }

  @Test
  void recordsManyFilesInTheOrderOfTheirPaths() throws Exception {
    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", JobRequest.of("held")));
    var attempt = held.next();
    try (var copy = attempt.job().workingCopy(Capture.fromNothing().atMost(1_000, 100 << 20))) {
      for (int i = 100; i < 600; i++) {
        Files.writeString(copy.path().resolve("f" + i), "x".repeat(40_000) + i);
      }
      assertThat(copy.record()).isEqualTo(500);
    }
    attempt.succeed(null);
    plan.ended();

    var entries = plan.body(plan.chain().getFirst()).entries();
    assertThat(entries).hasSize(500).isSortedAccordingTo((a, b) -> a.path().compareTo(b.path()));
  }

  @Test
  void isToldOfFilesThatStepsBeforeItHaveMadeIntoAConflict() throws Exception {
    var plan =
        TestPlan.submit(
            handoff,
            TestPlan.step(handoff, "one", append("1")),
            TestPlan.step(handoff, "two", append("2")),
            TestPlan.step(handoff, "three", JobRequest.of("held"), "one", "two"));
    var attempt = held.next();

    try (var copy = attempt.job().workingCopy(Capture.of(source))) {
      var first = plan.chain().getFirst().by().step();
      assertThat(Files.readString(copy.path().resolve("a.txt")))
          .isEqualTo(first.equals("one") ? "a1" : "a2");
      Files.createDirectories(copy.path().resolve("x/.git"));
      copy.record();
    }
    attempt.succeed(null);
    plan.ended();

    assertThat(plan.job("three").trail().log().getFirst())
        .startsWith("steps before this one have changed the same")
        .contains("what the changes before made of them")
        .endsWith("a.txt");
    assertThat(plan.job("three").trail().log().getLast())
        .isEqualTo("not recorded, for it is git's own: x/.git");
  }

  /// Git would check out the file with other line endings than those in the directory.
  @Test
  void ofARepositoryThatConvertsIsAppliedToWhereItCameFrom() throws Exception {
    var file = source.resolve("a.txt");
    Files.writeString(file, "one\n");
    Files.writeString(source.resolve(".gitattributes"), "*.txt text eol=crlf\n");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "first");

    var plan = TestPlan.submit(handoff, TestPlan.step(handoff, "one", append("two\n")));

    assertThat(plan.ended().status()).isEqualTo(PlanStatus.SUCCEEDED);
    assertThat(BoundedWaits.get(handoff.plans().plan(plan.id()).apply(source)))
        .isInstanceOf(ApplyAnswer.Applied.class);
    assertThat(Files.readString(file)).isEqualTo("one\ntwo\n");
  }

  private void git(String... words) throws Exception {
    var command = new ArrayList<>(List.of("git", "-c", "user.name=me", "-c", "user.email=me@x"));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).directory(source.toFile()).redirectErrorStream(true);
    var process = builder.start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void needsAPlan() {
    var outcome = BoundedWaits.get(handoff.submitOrThrow(append("1")).result());

    assertThat(((Outcome.Failed) outcome).error().message()).contains("is no step of a plan");
    assertThat(copies).isEmpty();
  }

  /// Restart after a killed process.
  @Test
  void leavesNothingForTheNextStart() throws Exception {
    handoff.close();
    var directory = home.directory().resolve("working-copies");
    Files.createDirectories(directory.resolve("01M7QA29F8201SE11P2AY4J500-1/sub"));
    Files.createDirectories(directory.resolve("kept/01M7QA29F8201SE11P2AY4J500-1"));

    handoff = builder().start();

    BoundedWaits.until("it is gone", () -> left().size() == 1);
    assertThat(directory.resolve("kept/01M7QA29F8201SE11P2AY4J500-1")).exists();
  }
}
