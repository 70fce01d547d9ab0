package dev.handoff.chaos;

import dev.handoff.Around;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.Submission;
import dev.handoff.chaos.Journal.What;
import dev.handoff.job.JobId;
import dev.handoff.store.Store;
import dev.handoff.testing.Soon;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A service that embeds Handoff, in a JVM of its own, and its only client. Works until it is
/// killed, told to `stop` or to `finish` on its standard input, or terminated.
///
/// Told what to do by arguments of the form `name=value`: `journal`, `dir` or `url`, `keys` (what
/// it submits, `run7-0..99`), `halt` (a [HaltingStore.Point]), `without` (a protection that is
/// taken away), and settings of the engine.
final class Service {

  private static final int UNDER_WAY = 48;
  private static final int STOPPED_FROM_OUTSIDE = 99;

  private final Journal journal;
  private final Path path;
  private final Handoff handoff;
  private final Semaphore room = new Semaphore(UNDER_WAY);

  private Service(Journal journal, Path path, Handoff handoff) {
    this.journal = journal;
    this.path = path;
    this.handoff = handoff;
  }

  public static void main(String[] arguments) throws Exception {
    var told = new HashMap<String, String>();
    for (var argument : arguments) {
      var parts = argument.split("=", 2);
      told.put(parts[0], parts[1]);
    }
    var path = Path.of(told.remove("journal"));
    var journal = Journal.append(path);
    var keys = keys(told.remove("keys"));
    var service = new Service(journal, path, start(told, journal));
    Runtime.getRuntime().addShutdownHook(new Thread(service::terminated));
    journal.say(What.UP);
    Thread.ofPlatform().daemon().start(service::obey);
    service.work(keys);
    // Whoever has started it says when it is enough.
    new CompletableFuture<Void>().join();
  }

  private static Handoff start(Map<String, String> told, Journal journal) {
    var handoff = new CompletableFuture<Handoff>();
    var builder = Handoff.builder();
    var directory = told.remove("dir");
    var url = told.remove("url");
    if (directory != null) {
      builder.directory(Path.of(directory));
    } else {
      builder.postgres(url, null, null);
    }
    around(builder, told.remove("halt"), told.remove("without"), url);
    builder
        .workers(16)
        .cancelling(Duration.ofMillis(10), Duration.ofMillis(40))
        .shutdownGrace(Duration.ofMillis(100))
        .set("ledger.checkpoint-after", "1GiB")
        .onDown(reason -> journal.say(What.DOWN, reason));
    told.forEach(builder::set);
    handoff.complete(Work.handlers(builder, journal, handoff).start());
    Soon.get(
        handoff.join().queues().limit(Work.NARROW_QUEUE, OptionalInt.of(Work.NARROW_LIMIT)));
    return handoff.join();
  }

  private static void around(HandoffBuilder builder, String halt, String without, String url) {
    if (halt != null) {
      Around.store(builder, inner -> new HaltingStore(inner, HaltingStore.Point.parse(halt)));
    }
    if (without != null) {
      Around.store(builder, inner -> without(without, inner, url));
    }
  }

  private static Store without(String protection, Store inner, String url) {
    return switch (protection) {
      case "write-ahead" -> new Unprotected.EarlyStore(inner);
      case "fence" -> new Unprotected.FencelessStore(inner, url);
      default -> throw new IllegalArgumentException(protection);
    };
  }

  /// `run7-0..99` and such, with commas.
  private static List<String> keys(String ranges) {
    return Stream.of(ranges.split(","))
        .filter(range -> !range.isEmpty())
        .flatMap(
            range -> {
              var parts = range.split("-|\\.\\.");
              return IntStream.rangeClosed(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]))
                  .mapToObj(number -> parts[0] + "-" + number);
            })
        .toList();
  }

  private void work(List<String> keys) throws InterruptedException {
    for (var key : keys) {
      room.acquire();
      submit(key).whenComplete((done, failure) -> room.release());
    }
  }

  /// Completes when the job has ended, or was not taken.
  private CompletionStage<Void> submit(String key) {
    journal.say(What.TRY, key);
    return handoff
        .submit(Work.request(key))
        .thenCompose(
            answer ->
                switch (answer) {
                  case Submission.Accepted(var handle) -> accepted(key, handle.id());
                  case Submission.Existing(var handle) -> accepted(key, handle.id());
                  case Submission other -> CompletableFuture.<Void>completedStage(null);
                });
  }

  private CompletionStage<Void> accepted(String key, JobId id) {
    journal.say(What.ACCEPTED, key, id);
    if (Work.of(key) == Work.DROPPED) {
      handoff
          .cancel(id, "it is dropped")
          .ended()
          .thenAccept(report -> Work.cancelled(report, journal));
    }
    return ended(id);
  }

  private CompletionStage<Void> ended(JobId id) {
    return handoff
        .handle(id)
        .ended()
        .thenAccept(job -> journal.say(What.ENDED, id, job.status().label(), job.attempt()));
  }

  private void obey() {
    try (var orders = new java.io.BufferedReader(new java.io.InputStreamReader(System.in))) {
      for (var order = orders.readLine(); order != null; order = orders.readLine()) {
        switch (order) {
          case "stop" -> close();
          case "finish" -> finish();
          default -> submit(order);
        }
      }
    } catch (IOException cut) {
      // As if it had ended.
    }
    Runtime.getRuntime().halt(STOPPED_FROM_OUTSIDE);
  }

  /// Sees everything that anybody has ever tried to its end. Whoever has had no answer asks again,
  /// with the same key.
  private void finish() {
    var tried = new HashSet<String>();
    var ids = new HashSet<String>();
    for (var line : Journal.read(path)) {
      if (line.what() == What.TRY) {
        tried.add(line.word(0));
      } else if (line.what() == What.ACCEPTED) {
        tried.remove(line.word(0));
        ids.add(line.word(1));
      }
    }
    var all = new ArrayList<CompletionStage<Void>>();
    tried.forEach(key -> all.add(submit(key)));
    ids.forEach(id -> all.add(ended(new JobId(id))));
    all.forEach(Soon::get);
    Soon.until("no worker is busy", this::isIdle);
    journal.say(What.IDLE);
    close();
  }

  private boolean isIdle() {
    var health = Soon.get(handoff.health());
    return health.ready() && health.busy() == 0 && health.abandoned() == 0;
  }

  private void close() {
    handoff.close();
    journal.say(What.CLOSED);
    Runtime.getRuntime().halt(0);
  }

  /// What an embedding service does when it is told to terminate: an orderly end is a success.
  private void terminated() {
    close();
  }
}
