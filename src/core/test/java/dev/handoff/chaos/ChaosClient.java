package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.JobId;
import dev.handoff.Submission;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.testing.BoundedWaits;
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

/// Client of a chaos run: submits jobs and writes the replies to the journal.
final class ChaosClient {

  private static final int UNDER_WAY = 48;

  private final Handoff handoff;
  private final ClientJournal journal;
  private final Semaphore room = new Semaphore(UNDER_WAY);

  ChaosClient(Handoff handoff, ClientJournal journal) {
    this.handoff = handoff;
    this.journal = journal;
  }

  /// @param ranges ranges of keys such as `run7-0..99`, separated by commas
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

  /// Submits the jobs in sequence, with a limited number in progress.
  void work(List<String> keys) {
    for (var key : keys) {
      room.acquireUninterruptibly();
      submit(key).whenComplete((done, failure) -> room.release());
    }
  }

  /// Completes when the job has ended or was refused.
  CompletionStage<Void> submit(String key) {
    journal.say(What.TRY, key);
    return handoff
        .submit(ChaosJobs.request(key))
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
    if (ChaosJobs.of(key) == ChaosJobs.DROPPED) {
      handoff
          .cancel(id, "it is dropped")
          .ended()
          .thenAccept(report -> ChaosJobs.cancelled(report, journal));
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

  /// Waits for the end of every job of all processes so far. Submissions without an answer are
  /// repeated with the same key.
  void finish(Path path) {
    var tried = new HashSet<String>();
    var ids = new HashSet<String>();
    for (var line : ClientJournal.read(path)) {
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
    // Failures here are left to the checks.
    all.forEach(stage -> BoundedWaits.get(stage.handle((done, failure) -> Optional.empty())));
    BoundedWaits.until("no worker is busy", this::isIdle);
    journal.say(What.IDLE);
  }

  private boolean isIdle() {
    var health = BoundedWaits.get(handoff.health());
    return health.ready() && health.busy() == 0 && health.abandoned() == 0;
  }
}
