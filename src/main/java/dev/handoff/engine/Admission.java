package dev.handoff.engine;

import dev.handoff.job.Archived;
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
import java.io.IOException;
import java.util.Map;
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

  /// @param deliver gives a message to a job
  Admission(
      PartitionEnvironment environment, Lookups lookups, JobActors jobs, Consumer<ForJob> deliver) {
    this.environment = environment;
    this.lookups = lookups;
    this.jobs = jobs;
    this.deliver = deliver;
    this.keys = new Keys(environment.settings().ledger().backlog());
  }

  /// A live job has this key.
  void hold(@Nullable String key, JobId job) {
    keys.hold(key, job);
  }

  /// A job is not live any more.
  void release(JobId job) {
    keys.release(job);
  }

  void submit(Partition.Submit submit) {
    var key = submit.spec().uniqueKey();
    var holder = key == null ? null : keys.holder(key);
    if (key == null) {
      accept(submit.id(), submit.spec(), submit.replyTo());
    } else if (holder != null) {
      deliver.accept(new ForJob(holder, new Job.SameKey(submit.spec(), submit.replyTo())));
    } else {
      await(key, new Keys.Submission(submit.id(), submit.spec(), submit.replyTo()));
    }
  }

  private void await(String key, Keys.Submission submission) {
    if (keys.await(key, submission)) {
      askForKeys();
    } else {
      refuse(submission, "the store does not keep up with the questions for keys");
    }
  }

  private void accept(JobId id, JobSpec spec, ActorRef<SubmitReply> replyTo) {
    keys.hold(spec.uniqueKey(), id);
    jobs.spawn(id, new Job.Submitted(id, spec, false, replyTo));
  }

  private void askForKeys() {
    var asked = keys.toAsk();
    if (!asked.isEmpty()) {
      lookups.askForKeys(asked);
    }
  }

  /// History has answered.
  void found(@Nullable Map<String, HistoryRow> rows, @Nullable Throwable failure) {
    var unanswered = failure == null ? "" : lookups.unanswered(failure);
    for (var key : keys.answered().entrySet()) {
      for (var submission : key.getValue()) {
        if (failure == null) {
          settle(key.getKey(), submission, rows.get(key.getKey()));
        } else {
          refuse(submission, unanswered);
        }
      }
    }
    askForKeys();
  }

  private void refuse(Keys.Submission one, String reason) {
    one.replyTo().tell(new SubmitReply.Unavailable(reason, environment.retryAfter()));
  }

  private void settle(String key, Keys.Submission one, @Nullable HistoryRow row) {
    var holder = keys.holder(key);
    if (holder != null) {
      deliver.accept(new ForJob(holder, new Job.SameKey(one.spec(), one.replyTo())));
    } else if (row == null) {
      accept(one.id(), one.spec(), one.replyTo());
    } else {
      try {
        one.replyTo().tell(Archived.sameKey(lookups.read(row), one.spec()));
      } catch (IOException unreadable) {
        refuse(one, unreadable.getMessage());
      }
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
