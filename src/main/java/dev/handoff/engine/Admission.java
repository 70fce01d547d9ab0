package dev.handoff.engine;

import dev.handoff.job.Archived;
import dev.handoff.job.ContentFingerprint;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import dev.handoff.job.SubmitReply;
import dev.handoff.job.Text;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.KeyHolder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Takes new jobs into a partition, and ended ones that are opened again, and sees that a key has
/// one holder among the live jobs and in history.
final class Admission {

  private final PartitionEnvironment environment;
  private final Lookups lookups;
  private final JobActors jobs;
  private final Consumer<ForJob> deliver;
  private final Keys keys;
  private final BatchWriter batches;
  private int workersAtHand;

  /// Submissions that only the holder's row can tell apart from it. One row at a time is read: they
  /// may be large.
  private final Queue<Doubt> doubts = new ArrayDeque<>();

  /// A submission with the key of an ended job, where the fingerprints do not tell whether both ask
  /// for the same.
  record Doubt(String key, String holder, Keys.Submission submission) {}

  /// @param deliver gives a message to a job
  Admission(
      PartitionEnvironment environment,
      Lookups lookups,
      JobActors jobs,
      Consumer<ForJob> deliver,
      Keys keys,
      BatchWriter batches) {
    this.environment = environment;
    this.lookups = lookups;
    this.jobs = jobs;
    this.deliver = deliver;
    this.keys = keys;
    this.batches = batches;
  }

  /// A live job has this key.
  void hold(@Nullable String key, JobId job) {
    keys.hold(key, job);
  }

  /// The number of workers at hand. No more submissions than that ask for one, so that hardly any
  /// asks in vain.
  void workersAtHand(int count) {
    workersAtHand = count;
  }

  /// A job is not live any more.
  void release(JobId job) {
    keys.release(job);
  }

  void submit(Partition.Submit submit) {
    var from = new Keys.Alone(submit.replyTo());
    admit(new Keys.Submission(submit.id(), submit.spec(), from));
    askForKeys();
  }

  /// History is asked once for all keys of a batch, and what is new is one append. A batch of no
  /// more jobs than there are workers at hand is taken as single jobs: each of them asks for one. A
  /// key for which there was no room once goes to no later job of the batch.
  void submit(Partition.SubmitBatch asked) {
    var batch = new BatchReplies(asked);
    boolean each = asked.jobs().size() <= workersAtHand;
    var crowded = new HashSet<String>();
    for (var job : asked.jobs()) {
      var from =
          each ? new Keys.Alone(batches.addressOf(batch, job.id())) : new Keys.InBatch(batch);
      var one = new Keys.Submission(job.id(), job.spec(), from);
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
  private boolean admit(Keys.Submission one) {
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

  private boolean await(String key, Keys.Submission one) {
    boolean isRoom = keys.await(key, one);
    if (!isRoom) {
      refuseRoom(one);
    }
    return isRoom;
  }

  private void refuseRoom(Keys.Submission one) {
    refuse(one, "the store does not keep up with the questions for keys");
  }

  private void compareWithLive(JobId holder, Keys.Submission one) {
    var replyTo =
        switch (one.from()) {
          case Keys.Alone(var submitter) -> submitter;
          case Keys.InBatch(var batch) -> batches.addressOf(batch, one.id());
        };
    deliver.accept(new ForJob(holder, new Job.SameKey(one.spec(), replyTo)));
  }

  private void accept(Keys.Submission one) {
    switch (one.from()) {
      case Keys.Alone(var replyTo) -> spawn(one.id(), one.spec(), replyTo);
      case Keys.InBatch(var batch) ->
          batches.add(batch, new Partition.NewJob(one.id(), one.spec()));
    }
  }

  private void spawn(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo) {
    keys.hold(spec.uniqueKey(), id);
    jobs.spawn(id, new Job.Submitted(id, spec, false, isDue(spec) && reserveWorker(), replyTo));
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

  /// History has answered.
  void found(@Nullable Map<String, KeyHolder> holders, @Nullable Throwable failure) {
    var unanswered = failure == null ? "" : lookups.unanswered(failure);
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

  private void refuse(Keys.Submission one, String reason) {
    one.answer(new SubmitReply.Unavailable(reason, environment.retryAfter()));
  }

  private void settle(String key, Keys.Submission one, @Nullable KeyHolder ended) {
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

  private boolean isHeldLive(String key, Keys.Submission one) {
    var holder = keys.holder(key);
    if (holder != null) {
      keys.settled(one);
      compareWithLive(holder, one);
    }
    return holder != null;
  }

  /// The row of a key's holder was read.
  void foundHolder(@Nullable Optional<HistoryRow> row, @Nullable Throwable failure) {
    var doubt = doubts.remove();
    var one = doubt.submission();
    if (!isHeldLive(doubt.key(), one)) {
      keys.settled(one);
      if (failure != null) {
        refuse(one, lookups.unanswered(failure));
      } else if (row.isEmpty()) {
        // Forgotten meanwhile: the key may be free, or somebody else's.
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

  private void compare(HistoryRow row, Keys.Submission one) {
    try {
      one.answer(Archived.sameKey(lookups.read(row), one.spec()));
    } catch (IOException unreadable) {
      refuse(one, unreadable.getMessage());
    }
  }

  /// History may have forgotten the job since its row was read, and somebody else has its key.
  void openAgain(JobState ended, JobCommand.Retry retry, ActorRef<JobReply> replyTo) {
    var key = ended.spec().uniqueKey();
    var holder = key == null ? null : keys.holder(key);
    if (holder == null) {
      keys.hold(key, ended.id());
      jobs.spawn(ended.id(), new Job.Reopened(ended, retry, replyTo));
    } else {
      var reason = "its key \"%s\" belongs to job %s now".formatted(Text.shown(key), holder);
      replyTo.tell(new JobReply.Declined(ended, reason));
    }
  }
}
