package dev.handoff.bench;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobRequest;
import dev.handoff.Submission;
import dev.handoff.store.StoreSettings;
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

/// Handoff as an application embeds it. A job counts when its end is durable. A lane submits its
/// jobs one by one, or by the lot: then a thread waits for each lot to be durable, as one of
/// db-scheduler does.
final class Ours implements Contender {

  private static final String BATCHES = "SELECT sum(seq) FROM handoff_partition";
  private static final String ENDED =
      "SELECT count(*) FROM handoff_history WHERE status = 'succeeded' AND type = 'noop'";

  private final Handoff handoff;
  private final LaneSettings lane;
  private final String url;
  private final Closeable place;
  private volatile Tally tally = new Tally();
  private volatile CompletableFuture<Long> started = new CompletableFuture<>();
  private final AtomicReference<String> refusal = new AtomicReference<>();

  private Ours(HandoffBuilder builder, LaneSettings lane, String url, Closeable place) {
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

  static Ours onPostgres(Server server, LaneSettings lane) {
    var url = server.freshDatabase();
    return new Ours(Handoff.builder().postgres(url, null, null), lane, url, () -> server.drop(url));
  }

  static Ours onFile(int workers) throws IOException {
    var directory = Files.createTempDirectory("handoff-bench");
    var url = "jdbc:sqlite:" + directory.resolve("handoff.db");
    return new Ours(
        Handoff.builder().directory(directory),
        LaneSettings.of(workers),
        url,
        () -> delete(directory));
  }

  /// Without a database: what the engine itself costs.
  static Ours inMemory(int workers) {
    return new Ours(
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
  public void load(Tally fresh, Duration time) throws Exception {
    tally = fresh;
    Load.run(time, this::submit);
    Waiting.until(() -> fresh.done() >= fresh.submitted() && isEmpty());
    if (refusal.get() != null) {
      throw new IllegalStateException("a submission was answered with " + refusal.get());
    }
  }

  private void submit() throws InterruptedException {
    int first = tally.next(Load.LOT);
    var lot =
        IntStream.range(first, first + Load.LOT)
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

  /// A job leaves its queue when its end is durable.
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

  /// One for each batch: several of them may have shared a transaction.
  @Override
  public long commits(Tally done) throws Exception {
    if (url.isEmpty()) {
      return 0;
    }
    long history = Server.number(url, ENDED);
    if (history != (lane.keepsHistory() ? done.submitted() : 0)) {
      throw new IllegalStateException(
          "%d jobs were submitted, history has %d and %s"
              .formatted(
                  done.submitted(), history, lane.keepsHistory() ? "keeps them" : "drops them"));
    }
    return Server.number(url, BATCHES);
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
