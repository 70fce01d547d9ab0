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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/// Handoff as an application embeds it. Each submission is awaited: it counts when it is durable.
final class Ours implements Contender {

  private static final String BATCHES = "SELECT sum(seq) FROM handoff_partition";
  private static final String ENDED =
      "SELECT count(*) FROM handoff_history WHERE status = 'succeeded' AND type = 'noop'";

  private final Handoff handoff;
  private final String url;
  private final Closeable place;
  private volatile Tally tally = new Tally();
  private volatile CompletableFuture<Long> started = new CompletableFuture<>();
  private final AtomicReference<String> refusal = new AtomicReference<>();

  private Ours(HandoffBuilder builder, String url, Closeable place) {
    this.url = url;
    this.place = place;
    this.handoff =
        builder
            .handler("noop", Integer.class, (number, job) -> ran(number))
            .handler("start", Integer.class, (number, job) -> started.complete(System.nanoTime()))
            .start();
  }

  static Ours onPostgres(Server server, int workers) {
    var url = server.freshDatabase();
    return new Ours(
        Handoff.builder().postgres(url, null, null).workers(workers), url, () -> server.drop(url));
  }

  static Ours onFile(int workers) throws IOException {
    var directory = Files.createTempDirectory("handoff-bench");
    var url = "jdbc:sqlite:" + directory.resolve("handoff.db");
    return new Ours(
        Handoff.builder().directory(directory).workers(workers), url, () -> delete(directory));
  }

  /// Without a database: what the engine itself costs.
  static Ours inMemory(int workers) {
    return new Ours(
        Handoff.builder().store(new StoreSettings.Memory()).workers(workers), "", () -> {});
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
    for (int number = first; number < first + Load.LOT; number++) {
      submit(number);
    }
  }

  private void submit(int number) {
    handoff
        .submit(JobRequest.of("noop", number))
        .whenComplete(
            (submission, failure) -> {
              if (!(submission instanceof Submission.Accepted)) {
                refusal.compareAndSet(null, failure + " " + submission);
              }
            });
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
    handoff.submit(JobRequest.of("start", 0));
    return started.get() - before;
  }

  /// One for each batch: several of them may have shared a transaction.
  @Override
  public long commits(Tally done) throws Exception {
    if (url.isEmpty()) {
      return 0;
    }
    long history = Server.number(url, ENDED);
    if (history != done.submitted()) {
      throw new IllegalStateException(
          done.submitted() + " jobs were submitted, history has " + history);
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
