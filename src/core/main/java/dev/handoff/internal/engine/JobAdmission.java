package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.job.ContentFingerprint;
import dev.handoff.internal.job.EndedJobAnswers;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.SubmitReply;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.text.SafeText;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Admits new jobs, and reopened ended ones, to a partition. Ensures that each key has one holder
/// among live jobs and history.
final class JobAdmission {

  private final PartitionEnvironment environment;
  private final HistoryLookups lookups;
  private final JobActors jobs;
  private final Consumer<JobEnvelope> deliver;
  private final JobKeys keys;
  private final BatchWriter batches;
  private int workersAtHand;

  /// Submissions that need the key holder's history row for a comparison. Rows are read one at a
  /// time: they may be large.
  private final Queue<Doubt> doubts = new ArrayDeque<>();

  /// Submission with the key of an ended job whose fingerprint differs: the fingerprints alone
  /// cannot decide.
  record Doubt(String key, String holder, JobKeys.Submission submission) {}

  /// @param deliver sends a message to a job
  JobAdmission(
      PartitionEnvironment environment,
      HistoryLookups lookups,
      JobActors jobs,
      Consumer<JobEnvelope> deliver,
      JobKeys keys,
      BatchWriter batches) {
    this.environment = environment;
    this.lookups = lookups;
    this.jobs = jobs;
    this.deliver = deliver;
    this.keys = keys;
    this.batches = batches;
  }

  /// Records the key of a live job.
  void hold(@Nullable String key, JobId job) {
    keys.hold(key, job);
  }

  /// Sets the number of workers at hand, which limits worker requests of submissions, so that few
  /// requests are in vain.
  void workersAtHand(int count) {
    workersAtHand = count;
  }

  /// Releases the key of a job that left the live state.
  void release(JobId job) {
    keys.release(job);
  }

  void submit(Partition.Submit submit) {
    var from = new JobKeys.Alone(submit.replyTo());
    admit(new JobKeys.Submission(submit.id(), submit.spec(), from));
    askForKeys();
  }

  /// Admits a batch: one history query for all keys, one append for all new jobs. A batch not
  /// larger than the number of workers at hand is admitted as single jobs, each with a worker
  /// request. After a key found no room, later jobs of the batch with that key are refused too.
  void submit(Partition.SubmitBatch asked) {
    var batch = new BatchReplies(asked);
    boolean each = asked.jobs().size() <= workersAtHand;
    var crowded = new HashSet<String>();
    for (var job : asked.jobs()) {
      var from =
          each ? new JobKeys.Alone(batches.addressOf(batch, job.id())) : new JobKeys.InBatch(batch);
      var one = new JobKeys.Submission(job.id(), job.spec(), from);
      var key = job.spec().uniqueKey();
      if (crowded.contains(key)) {
        refuseRoom(one);
      } else if (!admit(one)) {
        crowded.add(key);
      }
    }
    batches.write();
    askForKeys();
  }

  /// @return whether there was room
  private boolean admit(JobKeys.Submission one) {
    var key = one.spec().uniqueKey();
    var holder = key == null ? null : keys.holder(key);
    if (key == null) {
      accept(one);
    } else if (holder != null) {
      compareWithLive(holder, one);
    } else {
      return await(key, one);
    }
    return true;
  }

  private boolean await(String key, JobKeys.Submission one) {
    boolean isRoom = keys.await(key, one);
    if (!isRoom) {
      refuseRoom(one);
    }
    return isRoom;
  }

  private void refuseRoom(JobKeys.Submission one) {
    refuse(one, "the store does not keep up with the questions for keys");
  }

  private void compareWithLive(JobId holder, JobKeys.Submission one) {
    var replyTo =
        switch (one.from()) {
          case JobKeys.Alone(var submitter) -> submitter;
          case JobKeys.InBatch(var batch) -> batches.addressOf(batch, one.id());
        };
    deliver.accept(new JobEnvelope(holder, new Job.SameKey(one.spec(), replyTo)));
  }

  private void accept(JobKeys.Submission one) {
    switch (one.from()) {
      case JobKeys.Alone(var replyTo) -> spawn(one.id(), one.spec(), replyTo);
      case JobKeys.InBatch(var batch) ->
          batches.add(batch, new Partition.NewJob(one.id(), one.spec()));
    }
  }

  private void spawn(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo) {
    keys.hold(spec.uniqueKey(), id);
    jobs.spawn(id, new Job.StartNew(id, spec, false, isDue(spec) && reserveWorker(), replyTo));
  }

  private boolean isDue(JobSpec spec) {
    return spec.runAt() == null || !spec.runAt().isAfter(environment.clock().instant());
  }

  private boolean reserveWorker() {
    if (workersAtHand == 0) {
      return false;
    }
    workersAtHand--;
    return true;
  }

  private void askForKeys() {
    var asked = keys.toAsk();
    if (!asked.isEmpty()) {
      lookups.askForKeys(asked);
    }
  }

  /// Handles the history query's result.
  void found(@Nullable Map<String, KeyHolder> holders, @Nullable Throwable failure) {
    var unanswered = failure == null ? "" : lookups.onFailure(failure);
    for (var key : keys.answered().entrySet()) {
      for (var submission : key.getValue()) {
        if (failure == null) {
          settle(key.getKey(), submission, holders.get(key.getKey()));
        } else {
          keys.settled(submission);
          refuse(submission, unanswered);
        }
      }
    }
    batches.write();
    askForKeys();
  }

  private void refuse(JobKeys.Submission one, String reason) {
    one.answer(new SubmitReply.Unavailable(reason, environment.retryAfter()));
  }

  private void settle(String key, JobKeys.Submission one, @Nullable KeyHolder ended) {
    if (isHeldLive(key, one)) {
      return;
    }
    if (ended == null) {
      keys.settled(one);
      accept(one);
    } else if (ContentFingerprint.of(one.spec()).equals(ended.fingerprint())) {
      keys.settled(one);
      one.answer(new SubmitReply.Existing(new JobId(ended.id())));
    } else if (!ended.kept()) {
      keys.settled(one);
      one.answer(new SubmitReply.KeyConflict(new JobId(ended.id()), key));
    } else {
      doubts.add(new Doubt(key, ended.id(), one));
      if (doubts.size() == 1) {
        lookups.askForHolder(doubts.element());
      }
    }
  }

  private boolean isHeldLive(String key, JobKeys.Submission one) {
    var holder = keys.holder(key);
    if (holder != null) {
      keys.settled(one);
      compareWithLive(holder, one);
    }
    return holder != null;
  }

  /// Handles the history row of a key holder.
  void foundHolder(@Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var doubt = doubts.remove();
    var one = doubt.submission();
    if (!isHeldLive(doubt.key(), one)) {
      keys.settled(one);
      if (failure != null) {
        refuse(one, lookups.onFailure(failure));
      } else if (row.isEmpty()) {
        // The row was deleted meanwhile: the key may be free, or have another holder.
        await(doubt.key(), one);
        askForKeys();
      } else {
        compare(row.get(), one);
      }
    }
    if (!doubts.isEmpty()) {
      lookups.askForHolder(doubts.element());
    }
  }

  private void compare(HistoryRow row, JobKeys.Submission one) {
    try {
      one.answer(EndedJobAnswers.sameKey(lookups.read(row), one.spec()));
    } catch (IOException unreadable) {
      refuse(one, unreadable.getMessage());
    }
  }

  /// Reopens an ended job. History may have deleted the job since its row was read, so its key may
  /// have another holder.
  void openAgain(JobState ended, JobCommand.Retry retry, ActorRef<JobReply> replyTo) {
    var key = ended.spec().uniqueKey();
    var holder = key == null ? null : keys.holder(key);
    if (holder == null) {
      keys.hold(key, ended.id());
      jobs.spawn(ended.id(), new Job.StartReopened(ended, retry, replyTo));
    } else {
      var reason = "its key \"%s\" belongs to job %s now".formatted(SafeText.shown(key), holder);
      replyTo.tell(new JobReply.Declined(ended, reason));
    }
  }
}
