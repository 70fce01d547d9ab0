package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.cli.DemoReport.Role;
import dev.handoff.cli.Screen.Style;
import dev.handoff.handlers.BuiltInHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Engine and output of the demo. Confined to one thread.
final class DemoStage implements AutoCloseable {

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

  final Handoff handoff;
  final Screen screen;
  private final StopSignals signals;
  private final Map<JobId, CompletableFuture<JobInfo>> ends = new HashMap<>();
  private long lastWord = System.nanoTime();
  private int acts;

  /// Starts the engine with a single partition, so that priorities hold across all jobs.
  DemoStage(Path directory, DemoSite site, Screen screen) {
    var builder = Handoff.builder().directory(directory).partitions(1).workers(6);
    BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE).addTo(builder);
    handoff = site.addTo(builder).shutdownGrace(Duration.ofSeconds(5)).start();
    this.screen = screen;
    signals = StopSignals.passTo(signal -> {}, () -> screen.sayLast("the demo is left as it was"));
  }

  /// Begins an act.
  void act(String title, String... explanation) {
    screen.say("\n" + screen.styled(Style.BOLD, ++acts + "  " + title));
    tell(explanation);
  }

  /// Prints explanations and tables.
  void tell(String... texts) {
    List.of(texts).forEach(text -> text.lines().forEach(line -> screen.say("   " + line)));
    lastWord = System.nanoTime();
  }

  /// Prints an outcome.
  void done(String text) {
    tell(screen.styled(Style.GREEN, "→ " + text));
  }

  /// Leaves the demo unless the condition holds.
  void check(boolean holds, String problem) {
    if (!holds) {
      var words = "not as announced: " + TerminalText.brief(problem, 300);
      throw new CommandFailedException(ExitCode.FAILED, words);
    }
  }

  /// Waits for an answer of this kind; leaves the demo at any other.
  <T> T expect(Class<T> kind, CompletionStage<?> answer) throws InterruptedException {
    var given = await(answer);
    check(kind.isInstance(given), "instead of %s: %s".formatted(kind.getSimpleName(), given));
    return kind.cast(given);
  }

  /// Submits a job and waits until it is accepted.
  JobHandle submit(Role role, String key, JobRequest request) {
    var handle = handoff.submitOrThrow(role.on(request).key(key));
    ends.put(handle.id(), handle.ended().toCompletableFuture());
    return handle;
  }

  /// Submits numbered jobs.
  ///
  /// @param requests by number, from 1
  List<JobHandle> submit(Role role, String key, int count, IntFunction<JobRequest> requests) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> submit(role, key + "-" + i, requests.apply(i)))
        .toList();
  }

  JobInfo ended(JobHandle job) throws InterruptedException {
    return await(ends.get(job.id()));
  }

  List<JobInfo> ended(List<JobHandle> jobs) throws InterruptedException {
    var ended = new ArrayList<JobInfo>();
    for (var job : jobs) {
      ended.add(ended(job));
    }
    return ended;
  }

  /// Waits for an answer and draws the progress of all jobs.
  <T> T await(CompletionStage<T> answer) throws InterruptedException {
    return await(answer, this::draw);
  }

  <T> T await(CompletionStage<T> answer, Runnable drawing) throws InterruptedException {
    var awaited = answer.toCompletableFuture();
    while (!awaited.isDone()) {
      drawing.run();
      pause(awaited);
    }
    screen.clear();
    return awaited.join();
  }

  /// Waits a moment, or until the answer is there.
  void pause(CompletableFuture<?> awaited) throws InterruptedException {
    try {
      awaited.get(100, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException seenByTheCaller) {
      if (!screen.isTerminal() && System.nanoTime() - lastWord > LONGEST_SILENCE.toNanos()) {
        tell("…" + progress());
      }
    }
    if (signals.first().isPresent()) {
      var signal = signals.first().get();
      throw new CommandFailedException(StopSignals.exitCode(signal), "left by SIG" + signal);
    }
  }

  private void draw() {
    screen.status(ProgressBar.draw(over(), DemoTour.JOBS, screen.width(), progress()));
  }

  private String progress() {
    int running = handoff.health().toCompletableFuture().join().busy();
    return " %d of %d jobs over, %d running".formatted(over(), DemoTour.JOBS, running);
  }

  private long over() {
    return ends.values().stream().filter(CompletableFuture::isDone).count();
  }

  @Override
  public void close() {
    signals.close();
    screen.clear();
    handoff.close();
  }
}
