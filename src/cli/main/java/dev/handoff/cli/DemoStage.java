package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.cli.Screen.Style;
import dev.handoff.handlers.BuiltInHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/// Engine and output of the demo. Confined to one thread.
final class DemoStage implements AutoCloseable {

  final Handoff handoff;
  final Screen screen;
  private final StopSignals signals;
  private final Map<JobId, CompletableFuture<JobInfo>> ends = new HashMap<>();
  private final CompletableFuture<?> left = new CompletableFuture<>();
  private int acts;

  /// Starts the engine with a single partition, so that priorities hold across all jobs.
  DemoStage(Path directory, DemoSite site, Screen screen) {
    var builder = Handoff.builder().directory(directory).partitions(1).workers(6);
    BuiltInHandlers.with(BuiltInHandlers.Settings.SAFE).addTo(builder);
    handoff = site.addTo(builder).shutdownGrace(Duration.ofSeconds(5)).start();
    this.screen = screen;
    signals = StopSignals.passTo(this::leave, () -> screen.sayLast("the demo is left as it was"));
  }

  private void leave(String signal) {
    left.completeExceptionally(
        new CommandFailedException(StopSignals.exitCode(signal), "left by SIG" + signal));
  }

  /// Begins an act.
  void act(String title, String... explanation) {
    screen.say("\n" + screen.styled(Style.BOLD, ++acts + "  " + title));
    tell(explanation);
  }

  /// Prints explanations and tables.
  void tell(String... texts) {
    List.of(texts).forEach(text -> text.lines().forEach(line -> screen.say("   " + line)));
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
  <T> T expect(Class<T> kind, CompletionStage<?> answer) {
    var given = await(answer);
    check(kind.isInstance(given), "instead of %s: %s".formatted(kind.getSimpleName(), given));
    return kind.cast(given);
  }

  /// Submits a job and waits until it is accepted.
  JobHandle submit(JobRequest request) {
    var handle = handoff.submitOrThrow(request);
    ends.put(handle.id(), handle.ended().toCompletableFuture());
    return handle;
  }

  List<JobInfo> ended(List<JobHandle> jobs) {
    return jobs.stream().map(job -> await(job.ended())).toList();
  }

  /// Waits for an answer and draws the progress of all jobs.
  <T> T await(CompletionStage<T> answer) {
    return await(
        answer, () -> List.of(ProgressBar.draw(over(), DemoTour.JOBS, screen.width(), progress())));
  }

  <T> T await(CompletionStage<T> answer, Supplier<List<String>> drawing) {
    var awaited = answer.toCompletableFuture();
    var every = screen.isTerminal() ? Duration.ofMillis(100) : QuietWait.LONGEST_SILENCE;
    new QuietWait(screen, drawing, () -> "   …" + progress(), every)
        .until(CompletableFuture.anyOf(awaited, left));
    return awaited.join();
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
