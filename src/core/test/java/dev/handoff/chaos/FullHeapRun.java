package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.JobHandle;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Program with little memory: some handlers fill the heap with small objects, among ordinary jobs.
/// Its last output line reports the engine's fate: alive, or down with a notice; and the number of
/// unanswered callers.
///
/// ```
/// FullHeapRun DIRECTORY FILLERS
/// ```
final class FullHeapRun {

  private static final int JOBS = 2_000;
  private static final int ANSWER_SECONDS = 20;

  private final CompletableFuture<String> down = new CompletableFuture<>();
  private final List<CompletableFuture<Submission>> submissions = new ArrayList<>();
  private int done;
  private int failed;
  private int refused;
  private int unanswered;

  private FullHeapRun() {}

  public static void main(String[] args) throws Exception {
    new FullHeapRun().run(Path.of(args[0]), Integer.parseInt(args[1]));
    System.exit(0);
  }

  private void run(Path directory, int fillers) throws Exception {
    var handoff =
        Handoff.builder()
            .directory(directory)
            .shutdownGrace(Duration.ofSeconds(1))
            .handler("quick", Json.class, (payload, job) -> payload)
            .handler("fill", Json.class, (payload, job) -> fill())
            .onDown(down::complete)
            .start();
    for (int i = 0; i < JOBS; i++) {
      if (i % (JOBS / fillers) == JOBS / fillers / 2) {
        submit(handoff, "fill");
      }
      submit(handoff, "quick");
    }
    submissions.forEach(this::settle);
    var reason = down.getNow(null);
    boolean healthy = look(handoff) && reason == null;
    boolean downAndSaid = reason != null;
    long closing = System.nanoTime();
    var closed = CompletableFuture.runAsync(handoff::close, task -> new Thread(task).start());
    boolean hasClosed = isDone(closed, 30);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - closing);
    boolean isFree = hasClosed && isFree(directory);
    System.out.printf(
        "%s done=%d failed=%d refused=%d unanswered=%d closed=%s in %d ms free=%s reason=%s%n",
        healthy ? "LIVES" : downAndSaid ? "DOWN" : "DEAF",
        done,
        failed,
        refused,
        unanswered,
        hasClosed,
        millis,
        isFree,
        reason);
  }

  private static Object fill() {
    var full = new ArrayList<byte[]>();
    while (true) {
      full.add(new byte[100]);
    }
  }

  private void submit(Handoff handoff, String type) {
    try {
      submissions.add(handoff.submit(JobRequest.of(type).maxAttempts(1)).toCompletableFuture());
    } catch (OutOfMemoryError own) {
      refused++;
    }
  }

  private void settle(CompletableFuture<Submission> submission) {
    try {
      switch (submission.get(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        case Submission.Accepted(var job) -> settle(job);
        case Submission other -> refused++;
      }
    } catch (TimeoutException none) {
      unanswered++;
    } catch (ExecutionException | InterruptedException | OutOfMemoryError ended) {
      refused++;
    }
  }

  private void settle(JobHandle job) throws ExecutionException, InterruptedException {
    try {
      switch (job.result().toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        case Outcome.Succeeded succeeded -> done++;
        case Outcome other -> failed++;
      }
    } catch (TimeoutException none) {
      unanswered++;
    }
  }

  private static boolean look(Handoff handoff) {
    CompletionStage<?> health = handoff.health();
    return isDone(health.toCompletableFuture(), 10)
        && handoff.health().toCompletableFuture().join().ready();
  }

  private static boolean isDone(CompletableFuture<?> what, int seconds) {
    try {
      what.get(seconds, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException ended) {
      return true;
    } catch (TimeoutException | InterruptedException not) {
      return false;
    }
  }

  private static boolean isFree(Path directory) {
    try {
      Handoff.builder().directory(directory).start().close();
      return true;
    } catch (RuntimeException taken) {
      return false;
    }
  }
}
