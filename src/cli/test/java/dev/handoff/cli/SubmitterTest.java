package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.JobRequest;
import dev.handoff.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Uses a fake engine with prepared answers.
@DisplayName("The submitter")
class SubmitterTest {

  @TempDir Path dir;

  private final BlockingQueue<RunEvent> events = new LinkedBlockingQueue<>();
  private final Queue<CompletionStage<Submission>> answers = new ConcurrentLinkedQueue<>();

  @Test
  void passesEachRefusalOnWithItsLine() throws Exception {
    answer(new Submission.UnknownType("x", Set.of("y")));
    answer(new Submission.Invalid(List.of("one", "two")));
    answer(new Submission.Refused("no room"));
    answer(new Submission.KeyConflict("k\u001b", new JobId("01M7QA29F8201SE11P2AY4J500")));
    answers.add(CompletableFuture.failedStage(new IllegalStateException("broken")));

    start(5);

    assertThat(refusals(5))
        .containsExactly(
            new RunEvent.Refused(1, "no handler for type x"),
            new RunEvent.Refused(2, "one; two"),
            new RunEvent.Refused(3, "no room"),
            new RunEvent.Refused(
                4,
                "key \"k\\u001b\" belongs to job 01M7QA29F8201SE11P2AY4J500, which is another job"),
            new RunEvent.Refused(5, "broken"));
  }

  @Test
  void triesAgainLaterWhenTheStoreIsAway() throws Exception {
    answer(new Submission.Unavailable("the store is away", Duration.ofMillis(5)));
    answer(new Submission.Unavailable("the store is away", Duration.ofMillis(5)));
    answer(new Submission.Refused("seen"));

    start(1);

    assertThat(refusals(1)).containsExactly(new RunEvent.Refused(1, "seen"));
  }

  @Test
  void saysNothingMoreOnceItIsStopped() throws Exception {
    var late = new CompletableFuture<Submission>();
    answers.add(late);
    var submitter = start(1);
    assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(new RunEvent.AllHandedIn(1));

    submitter.stop();
    late.complete(new Submission.Refused("the engine is closed"));

    assertThat(events).isEmpty();
  }

  @Test
  void noticesThatTheFileWasChanged() throws Exception {
    Files.writeString(dir.resolve("jobs"), "{\"type\":\"noop\",\"colour\":1}\n");

    start(dir.resolve("jobs"));

    assertThat(broken())
        .startsWith("the file was changed while it was read: line 1: colour: is not a field");
  }

  @Test
  void noticesThatTheFileIsGone() throws Exception {
    start(dir.resolve("gone"));

    assertThat(broken()).startsWith("the file cannot be read on: ").endsWith("gone does not exist");
  }

  private Submitter start(int lines) throws IOException {
    var file =
        Files.writeString(dir.resolve("jobs"), "{\"type\":\"noop\",\"key\":\"k\"}\n".repeat(lines));
    return start(file);
  }

  private Submitter start(Path file) {
    var door =
        new Submitter.Door(
            this::submit,
            id -> {
              throw new AssertionError(id);
            });
    return Submitter.start(door, new JobFile(file, false), new LineKeys(""), events::add);
  }

  private CompletionStage<Submission> submit(JobRequest request) {
    return answers.remove();
  }

  private void answer(Submission answer) {
    answers.add(CompletableFuture.completedStage(answer));
  }

  private String broken() throws InterruptedException {
    return ((RunEvent.Broken) events.poll(20, TimeUnit.SECONDS)).reason();
  }

  private List<RunEvent> refusals(int count) throws InterruptedException {
    var refusals = new ArrayList<RunEvent>();
    while (refusals.size() < count) {
      var event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).isNotNull();
      if (!(event instanceof RunEvent.AllHandedIn)) {
        refusals.add(event);
      }
    }
    return refusals;
  }
}
