package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.handlers.HandlerSettings;
import dev.handoff.internal.text.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Engine, jobs and progress line of the demo. Confined to one thread.
final class DemoStage implements AutoCloseable {

  static final int WORKERS = 6;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /// Thrown to leave the demo early.
  static final class LeftException extends RuntimeException {
    private final int exitCode;

    LeftException(int exitCode, String message) {
      super(message);
      this.exitCode = exitCode;
    }

    int exitCode() {
      return exitCode;
    }
  }

  private final Handoff handoff;
  private final Screen screen;
  private final int total;
  private final BlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
  private final Map<JobId, String> names = new LinkedHashMap<>();
  private final Map<String, JobInfo> ended = new HashMap<>();
  private final StopSignals signals;
  private int running;
  private boolean asking;

  private DemoStage(Handoff handoff, Screen screen, int total) {
    this.handoff = handoff;
    this.screen = screen;
    this.total = total;
    signals =
        StopSignals.passTo(
            signal ->
                mailbox.add(
                    () -> {
                      throw new LeftException(
                          StopSignals.exitCode(signal), "left by SIG" + signal);
                    }),
            () -> screen.sayLast("the demo is left as it was"));
  }

  /// Starts the engine with a single partition, so that priorities hold across all jobs.
  ///
  /// @param steps handlers of the plan's steps
  /// @param total number of jobs outside the plan
  static DemoStage open(Path directory, DemoSteps steps, Screen screen, int total) {
    var builder = Handoff.builder().directory(directory).partitions(1).workers(WORKERS);
    var grace = Duration.ofSeconds(5);
    BuiltInHandlers.with(HandlerSettings.SAFE).addTo(builder.shutdownGrace(grace));
    var handoff = steps.addTo(builder).start();
    return new DemoStage(handoff, screen, total);
  }

  Handoff handoff() {
    return handoff;
  }

  /// Submits a named job and waits until it is accepted.
  JobHandle submit(String name, JobRequest request) {
    var handle = handoff.submitOrThrow(request.key(name));
    if (names.putIfAbsent(handle.id(), name) == null) {
      handle.ended().thenAccept(job -> mailbox.add(() -> ended.put(name, job)));
    }
    return handle;
  }

  /// Named job after its end; null before.
  @Nullable JobInfo ended(String name) {
    return ended.get(name);
  }

  /// Names of all jobs, in order of submission.
  Map<JobId, String> names() {
    return names;
  }

  void awaitEnds(List<String> jobs) throws InterruptedException {
    until(() -> ended.keySet().containsAll(jobs));
  }

  /// Waits for an answer and draws the progress line.
  <T> T await(CompletionStage<T> stage) throws InterruptedException {
    return await(stage, this::draw);
  }

  /// Waits for an answer.
  ///
  /// @param drawing draws the progress
  <T> T await(CompletionStage<T> stage, Runnable drawing) throws InterruptedException {
    var answer = stage.toCompletableFuture();
    answer.whenComplete((value, failure) -> mailbox.add(() -> {}));
    until(answer::isDone, drawing);
    return answer.join();
  }

  /// Waits for a condition and draws the progress line.
  void until(BooleanSupplier holds) throws InterruptedException {
    until(holds, this::draw);
  }

  private void until(BooleanSupplier holds, Runnable drawing) throws InterruptedException {
    long since = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - since > LONGEST_WAIT.toNanos()) {
        throw new LeftException(
            ExitCode.FAILED, "this took longer than " + Durations.exact(LONGEST_WAIT));
      }
      drawing.run();
      var message = mailbox.poll(100, TimeUnit.MILLISECONDS);
      if (message != null) {
        message.run();
      }
    }
    screen.clear();
  }

  private void draw() {
    if (!asking) {
      asking = true;
      handoff
          .health()
          .whenComplete(
              (health, failure) ->
                  mailbox.add(
                      () -> {
                        running = health == null ? 0 : health.busy();
                        asking = false;
                      }));
    }
    var words = " %d of %d jobs over, %d running".formatted(ended.size(), total, running);
    screen.status(ProgressBar.draw(ended.size(), total, screen.width(), words));
  }

  @Override
  public void close() {
    signals.close();
    screen.clear();
    handoff.close();
  }
}
