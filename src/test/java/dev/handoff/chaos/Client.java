package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.Submission;
import dev.handoff.chaos.Journal.What;
import dev.handoff.job.JobId;
import dev.handoff.testing.Soon;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Submits the jobs of a chaos run, and writes down what it was told of them.
final class Client {

  private static final int UNDER_WAY = 48;

  private final Handoff handoff;
  private final Journal journal;
  private final Semaphore room = new Semaphore(UNDER_WAY);

  Client(Handoff handoff, Journal journal) {
    this.handoff = handoff;
    this.journal = journal;
  }

  /// @param ranges `run7-0..99` and such, with commas between
  static List<String> keys(String ranges) {
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

  /// Submits one after the other; some of them are under way at a time.
  void work(List<String> keys) {
    for (var key : keys) {
      room.acquireUninterruptibly();
      submit(key).whenComplete((done, failure) -> room.release());
    }
  }

  /// Completes when the job has ended, or was not taken.
  CompletionStage<Void> submit(String key) {
    journal.say(What.TRY, key);
    return handoff
        .submit(Work.request(key))
        .thenCompose(
            answer ->
                switch (answer) {
                  case Submission.Accepted(var handle) -> accepted(key, handle.id());
                  case Submission.Existing(var handle) -> accepted(key, handle.id());
                  case Submission.Unavailable later -> unavailable(key, later);
                  case Submission other -> throw new AssertionError(key + ": " + other);
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

  private CompletionStage<Void> unavailable(String key, Submission.Unavailable later) {
    journal.say(What.UNAVAILABLE, key, later.retryAfter().toMillis());
    return CompletableFuture.completedStage(null);
  }

  private CompletionStage<Void> ended(JobId id) {
    return handoff
        .handle(id)
        .ended()
        .thenAccept(job -> journal.say(What.ENDED, id, job.status().label(), job.attempt()));
  }

  /// Sees everything that anybody has ever tried to its end. Whoever has had no answer asks again,
  /// with the same key.
  void finish(Path path) {
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
    // What cannot be told of a job is for the checks to find.
    all.forEach(stage -> Soon.get(stage.handle((done, failure) -> Optional.empty())));
    Soon.until("no worker is busy", this::isIdle);
    journal.say(What.IDLE);
  }

  private boolean isIdle() {
    var health = Soon.get(handoff.health());
    return health.ready() && health.busy() == 0 && health.abandoned() == 0;
  }
}
