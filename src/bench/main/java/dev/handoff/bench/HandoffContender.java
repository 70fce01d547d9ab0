package dev.handoff.bench;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobRequest;
import dev.handoff.StoreSettings;
import dev.handoff.Submission;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/// Handoff, embedded as in an application. A job counts when its end is durable. A lane submits
/// single jobs or batches; a batch submitter waits until each batch is durable, like
/// db-scheduler's.
final class HandoffContender implements JobContender {

  private static final String BATCHES = "SELECT sum(seq) FROM handoff_partition";
  private static final String ENDED =
      "SELECT count(*) FROM handoff_history WHERE status = 'succeeded' AND type = 'noop'";

  private final Handoff handoff;
  private final LaneSettings lane;
  private final String url;
  private final Closeable place;
  private volatile RunCounter tally = new RunCounter();
  private volatile CompletableFuture<Long> started = new CompletableFuture<>();
  private final AtomicReference<String> refusal = new AtomicReference<>();

  private HandoffContender(HandoffBuilder builder, LaneSettings lane, String url, Closeable place) {
    this.lane = lane;
    this.url = url;
    this.place = place;
    this.handoff =
        builder
            .workers(lane.workers())
            .set("partitions", lane.partitions())
            .set("history.succeeded", lane.keepsHistory() ? "keep" : "drop")
            .handler("noop", Integer.class, (number, job) -> ran(number))
            .handler("start", Integer.class, (number, job) -> started.complete(System.nanoTime()))
            .start();
  }

  static HandoffContender onPostgres(PostgresHost server, LaneSettings lane) {
    var url = server.freshDatabase();
    return new HandoffContender(
        Handoff.builder().postgres(url, null, null), lane, url, () -> server.drop(url));
  }

  static HandoffContender onFile(int workers) throws IOException {
    var directory = Files.createTempDirectory("handoff-bench");
    var url = "jdbc:sqlite:" + directory.resolve("handoff.db");
    return new HandoffContender(
        Handoff.builder().directory(directory),
        LaneSettings.of(workers),
        url,
        () -> delete(directory));
  }

  /// Engine without a database: measures the engine's own cost.
  static HandoffContender inMemory(int workers) {
    return new HandoffContender(
        Handoff.builder().store(new StoreSettings.Memory()),
        LaneSettings.of(workers),
        "",
        () -> {});
  }

  private Object ran(int number) {
    tally.ran(number);
    return null;
  }

  @Override
  public void load(RunCounter fresh, Duration time) throws Exception {
    tally = fresh;
    LoadThreads.run(time, this::submit);
    PollingWait.until(() -> fresh.done() >= fresh.submitted() && isEmpty());
    if (refusal.get() != null) {
      throw new IllegalStateException("a submission was answered with " + refusal.get());
    }
  }

  private void submit() throws InterruptedException {
    int first = tally.next(LoadThreads.LOT);
    var lot =
        IntStream.range(first, first + LoadThreads.LOT)
            .mapToObj(number -> JobRequest.of("noop", number))
            .toList();
    if (lane.inBatches()) {
      submit(lot).forEach(answer -> note(answer, null));
    } else {
      lot.forEach(request -> handoff.submit(request).whenComplete(this::note));
    }
  }

  private List<Submission> submit(List<JobRequest> lot) {
    return handoff.submit(lot).toCompletableFuture().join();
  }

  private void note(Submission answer, Throwable failure) {
    if (!(answer instanceof Submission.Accepted)) {
      refusal.compareAndSet(null, failure + " " + answer);
    }
  }

  /// Whether all queues are empty. A job leaves its queue when its end is durable.
  private boolean isEmpty() {
    return handoff.queues().list().toCompletableFuture().join().stream()
        .allMatch(queue -> queue.queued() + queue.scheduled() + queue.running() == 0);
  }

  @Override
  public long startOne() throws Exception {
    started = new CompletableFuture<>();
    long before = System.nanoTime();
    var request = JobRequest.of("start", 0);
    if (lane.inBatches()) {
      handoff.submit(List.of(request));
    } else {
      handoff.submit(request);
    }
    return started.get() - before;
  }

  /// Number of ledger batches. Several batches may have shared a transaction.
  @Override
  public long commits(RunCounter done) throws Exception {
    if (url.isEmpty()) {
      return 0;
    }
    long history = PostgresHost.number(url, ENDED);
    if (history != (lane.keepsHistory() ? done.submitted() : 0)) {
      throw new IllegalStateException(
          "%d jobs were submitted, history has %d and %s"
              .formatted(
                  done.submitted(), history, lane.keepsHistory() ? "keeps them" : "drops them"));
    }
    return PostgresHost.number(url, BATCHES);
  }

  @Override
  public void stop() {
    handoff.close();
  }

  @Override
  public void close() throws IOException {
    place.close();
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
