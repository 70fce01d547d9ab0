package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StartException;
import dev.handoff.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Program that fills a store with jobs, or starts an engine on that store with too little memory.
/// Its last output line reports the result of the start.
///
/// ```
/// FullStart DIRECTORY JOBS
/// FullStart DIRECTORY
/// ```
final class FullStart {

  private static final int AT_ONCE = 1_000;
  private static final int START_SECONDS = 120;

  private FullStart() {}

  public static void main(String[] args) throws Exception {
    var directory = Path.of(args[0]);
    if (args.length > 1) {
      fill(directory, Integer.parseInt(args[1]));
    } else {
      start(directory);
    }
    System.exit(0);
  }

  private static Handoff engine(Path directory) {
    return Handoff.builder()
        .directory(directory)
        .partitions(2)
        .workers(0)
        .handler("later", Json.class, (payload, job) -> payload)
        .start();
  }

  private static void fill(Path directory, int jobs) {
    try (var handoff = engine(directory)) {
      for (int i = 0; i < jobs; i += AT_ONCE) {
        var some = new ArrayList<CompletableFuture<?>>();
        for (int j = 0; j < AT_ONCE; j++) {
          var job = JobRequest.of("later").delay(Duration.ofDays(1));
          some.add(handoff.submit(job).thenAccept(Submission::orThrow).toCompletableFuture());
        }
        CompletableFuture.allOf(some.toArray(CompletableFuture[]::new)).join();
      }
    }
    System.out.println("FILLED");
  }

  private static void start(Path directory) throws InterruptedException {
    var started =
        CompletableFuture.supplyAsync(() -> engine(directory), task -> new Thread(task).start());
    try {
      var handoff = started.get(START_SECONDS, TimeUnit.SECONDS);
      System.out.println("STARTED");
      close(handoff);
    } catch (ExecutionException failed) {
      System.out.println("NOT STARTED " + failed.getCause());
      isFree(directory);
    } catch (TimeoutException never) {
      System.out.println("HANGS");
    }
  }

  private static void close(Handoff handoff) throws InterruptedException {
    var closed = CompletableFuture.runAsync(handoff::close, task -> new Thread(task).start());
    try {
      closed.get(START_SECONDS, TimeUnit.SECONDS);
      System.out.println("STARTED and CLOSED");
    } catch (ExecutionException | TimeoutException never) {
      System.out.println("STARTED and not closed: " + never);
    }
  }

  /// Starts again: whether it succeeds or not, the store must be free.
  private static void isFree(Path directory) {
    try {
      engine(directory).close();
      System.out.println("NOT STARTED, then STARTED");
    } catch (StartException full) {
      System.out.println("NOT STARTED and FREE");
    }
  }
}
