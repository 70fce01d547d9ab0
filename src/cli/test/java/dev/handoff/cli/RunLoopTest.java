package dev.handoff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.testing.BoundedWaits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Uses a real engine, with events from the test.
@DisplayName("The loop of a run")
class RunLoopTest {

  @TempDir Path dir;

  private final BlockingQueue<RunEvent> events = new LinkedBlockingQueue<>();
  private final Instant begun = Instant.now();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void stopsWhenTheEngineGoesDown() throws Exception {
    events.add(new RunEvent.EngineDown("the store was taken over"));

    assertThat(run(later(), 80))
        .isEqualTo(new RunStop.Broken("the engine went down: the store was taken over"));
  }

  @Test
  void stopsWhenTheFileCannotBeReadOnAndKeepsTheFirstReason() throws Exception {
    events.add(new RunEvent.Broken("the disk is gone"));
    events.add(new RunEvent.EngineDown("too late"));

    assertThat(run(later(), 0)).isEqualTo(new RunStop.Broken("the disk is gone"));
  }

  @Test
  void stopsWhenTheFileHasFewerJobsThanItHad() throws Exception {
    var file = file("{\"type\":\"noop\"}\n");
    var screen =
        new Screen(new PrintStream(written, true, StandardCharsets.UTF_8), CliHarness.size(80));
    var handoff = engine();
    var work =
        new RunLoop.Work(
            Submitter.start(Submitter.Door.of(handoff), file, new LineKeys(""), events::add),
            new OtherJobs(handoff, Set.of(), count -> events.add(new RunEvent.Others(count))),
            begun);

    assertThat(new RunLoop(handoff, work, events, new RunCounts(2, 0), screen, 0).run())
        .isEqualTo(
            new RunStop.Broken(
                "the file was changed while it was read: it had 2 jobs, and then 1"));
  }

  @Test
  void waitsForOtherJobsOfTheStoreAndSaysSo() throws Exception {
    var handoff = engine();
    handoff.submitOrThrow(JobRequest.of("sleep", Map.of("ms", 1_500)));
    handoff.submitOrThrow(JobRequest.of("fail", Map.of("times", 1)));
    handoff.queues().pause("paused").toCompletableFuture().join();
    handoff.submitOrThrow(JobRequest.of("noop").queue("paused"));
    handoff.submitOrThrow(JobRequest.of("noop").delay(Duration.ofDays(1)));
    var file = file("{\"type\":\"noop\"}\n");

    var stop = loop(handoff, file, 80, 0).run();

    assertThat(stop).isNull();
    assertThat(written()).contains("other jobs of this store still run");
  }

  @Test
  void saysNowAndThenHowFarItIsWhereItCannotDraw() throws Exception {
    var handoff = engine();
    var file =
        file(
            "{\"type\":\"sleep\",\"payload\":{\"ms\":5300}}\n"
                + "{\"type\":\"fail\",\"payload\":{\"times\":1},\"backoff\":\"1ms\"}\n");

    assertThat(loop(handoff, file, 0, 0).run()).isNull();

    assertThat(written()).startsWith("1 of 2 done, 1 retries, 5.");
  }

  @Test
  void drawsThatItWaitsForWhatRuns() throws Exception {
    var handoff = engine();
    var file =
        file(
            "{\"type\":\"fail\",\"payload\":{},\"maxAttempts\":1}\n"
                + "{\"type\":\"sleep\",\"payload\":{\"ms\":1500}}\n");

    var stop = loop(handoff, file, 80, 1).run();

    assertThat(stop).isEqualTo(new RunStop.MaxFailures(1));
    assertThat(written())
        .contains("stopping after 1 failed jobs", "waiting for running jobs to end, ");
  }

  /// A job can be accepted, run and fail before the loop starts.
  @Test
  void countsWhatFailedAtItsVeryBeginning() throws Exception {
    var handoff = engine();
    var file = file("{\"type\":\"fail\",\"payload\":{},\"maxAttempts\":1}\n");

    var early = work(handoff, file);
    BoundedWaits.until(
        "it has failed", () -> events.stream().anyMatch(RunEvent.Ended.class::isInstance));

    assertThat(loop(handoff, early, file, 80, 1).run()).isEqualTo(new RunStop.MaxFailures(1));
  }

  @Test
  void doesNotWaitForJobsThatNobodyHereRuns() throws Exception {
    var handoff = engine();
    var seen = new LinkedBlockingQueue<RunEvent>();
    handoff.submitOrThrow(JobRequest.of("sleep", Map.of("ms", 60_000)));

    new OtherJobs(handoff, Set.of("noop"), count -> seen.add(new RunEvent.Others(count))).watch();

    assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(new RunEvent.Others(0));
    handoff.close();
  }

  @Test
  void givesUpOnOtherJobsWhenTheEngineIsGone() throws Exception {
    var handoff = engine();
    handoff.close();
    var seen = new LinkedBlockingQueue<RunEvent>();
    var others =
        new OtherJobs(handoff, Set.of("noop"), count -> seen.add(new RunEvent.Others(count)));

    others.watch();
    others.stop();

    assertThat(seen.poll(50, TimeUnit.MILLISECONDS)).isNull();
  }

  private RunStop run(JobFile file, int width) throws Exception {
    return loop(engine(), file, width, 0).run();
  }

  private RunLoop loop(Handoff handoff, JobFile file, int width, long maxFailures)
      throws IOException {
    return loop(handoff, work(handoff, file), file, width, maxFailures);
  }

  private RunLoop.Work work(Handoff handoff, JobFile file) {
    return new RunLoop.Work(
        Submitter.start(Submitter.Door.of(handoff), file, new LineKeys(""), events::add),
        new OtherJobs(
            handoff,
            BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE).types(),
            count -> events.add(new RunEvent.Others(count))),
        begun);
  }

  private RunLoop loop(
      Handoff handoff, RunLoop.Work work, JobFile file, int width, long maxFailures)
      throws IOException {
    var screen =
        new Screen(new PrintStream(written, true, StandardCharsets.UTF_8), CliHarness.size(width));
    return new RunLoop(
        handoff,
        work,
        events,
        new RunCounts(Files.readAllLines(file.path()).size(), 0),
        screen,
        maxFailures);
  }

  private JobFile later() throws IOException {
    return file("{\"type\":\"noop\",\"delay\":\"1h\"}\n");
  }

  private JobFile file(String lines) throws IOException {
    return new JobFile(Files.writeString(dir.resolve("jobs"), lines), false);
  }

  private Handoff engine() {
    var builder =
        Handoff.builder().directory(dir.resolve("data")).shutdownGrace(Duration.ofSeconds(5));
    return BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE).addTo(builder).start();
  }

  private String written() {
    return written.toString(StandardCharsets.UTF_8);
  }
}
