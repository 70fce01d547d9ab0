package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.JobHandle;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobRequest;
import dev.handoff.Submission;
import dev.handoff.cli.JobFile.BadLineException;
import dev.handoff.cli.JobFile.JobLine;
import dev.handoff.internal.ask.ThreadPause;
import dev.handoff.internal.text.SafeText;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Submits the jobs of a file in order and watches their ends. Back-pressure limits the submissions
/// in flight and the live jobs, so that memory use is independent of the file size.
final class Submitter implements JobSource {

  private static final int MOST_ON_THE_WAY = 1_024;
  private static final int MOST_LIVE = 100_000;

  /// Engine operations for the jobs of a file.
  ///
  /// @param submit submits a job
  /// @param handle handle of an existing job
  record Door(
      Function<JobRequest, CompletionStage<Submission>> submit, Function<JobId, JobHandle> handle) {

    static Door of(Handoff handoff) {
      return new Door(handoff::submit, handoff::handle);
    }
  }

  private final Door door;
  private final JobFile file;
  private final LineKeys keys;
  private final Consumer<RunEvent> events;
  private final Semaphore onTheWay = new Semaphore(MOST_ON_THE_WAY);
  private final Semaphore live = new Semaphore(MOST_LIVE);
  private final Thread thread;
  private volatile boolean stopped;

  private Submitter(Door door, JobFile file, LineKeys keys, Consumer<RunEvent> events) {
    this.door = door;
    this.file = file;
    this.keys = keys;
    this.events = events;
    this.thread = Thread.ofVirtual().name("handoff-submitter").unstarted(this::handInAll);
  }

  /// @param keys generator for lines without a key
  static Submitter start(Door door, JobFile file, LineKeys keys, Consumer<RunEvent> events) {
    var submitter = new Submitter(door, file, keys, events);
    submitter.thread.start();
    return submitter;
  }

  /// Stops the submission.
  @Override
  public void stop() {
    stopped = true;
    thread.interrupt();
  }

  private void handInAll() {
    try (var reader = file.read(keys)) {
      long jobs = 0;
      for (var job = reader.next(); job != null; job = reader.next()) {
        live.acquire();
        onTheWay.acquire();
        handIn(job);
        jobs++;
      }
      events.accept(new RunEvent.AllHandedIn(jobs));
    } catch (InterruptedException stopped) {
      // The next run submits the rest of the file.
    } catch (BadLineException changed) {
      events.accept(
          new RunEvent.Broken("the file was changed while it was read: " + changed.getMessage()));
    } catch (IOException | RuntimeException broken) {
      events.accept(new RunEvent.Broken("the file cannot be read on: " + ErrorText.of(broken)));
    }
  }

  private void handIn(JobLine job) {
    if (stopped) {
      return;
    }
    door.submit()
        .apply(job.request())
        .whenComplete((answer, failure) -> onAnswer(job, answer, failure));
  }

  private void onAnswer(JobLine job, @Nullable Submission answer, @Nullable Throwable failure) {
    switch (answer) {
      case null -> refused(job, ErrorText.of(failure));
      case Submission.Accepted(var handle) -> accepted(job, handle, false);
      case Submission.Existing(var handle) -> accepted(job, handle, true);
      case Submission.Unavailable(var reason, var retryAfter) ->
          ThreadPause.beforeTask(retryAfter, "handoff-hand-in", () -> handIn(job));
      // Generated keys identify equal JSON, so a conflict means only a different notation of the
      // payload.
      case Submission.KeyConflict(var key, var holder) when !job.hasOwnKey() ->
          accepted(job, door.handle().apply(holder), true);
      case Submission.KeyConflict(var key, var holder) ->
          refused(
              job,
              "key \"%s\" belongs to job %s, which is another job"
                  .formatted(SafeText.shown(key), holder));
      case Submission.UnknownType(var type, var known) ->
          refused(job, "no handler for type " + type);
      case Submission.Invalid(var problems) -> refused(job, String.join("; ", problems));
      case Submission.Refused(var reason) -> refused(job, reason);
    }
  }

  private void accepted(JobLine job, JobHandle handle, boolean known) {
    onTheWay.release();
    events.accept(new RunEvent.Accepted(known));
    handle.ended().whenComplete((ended, failure) -> onEnd(job, ended, failure));
  }

  /// Handles the end of a job. An unknown end after a stop is left to the next run.
  private void onEnd(JobLine job, @Nullable JobInfo ended, @Nullable Throwable failure) {
    live.release();
    if (ended != null) {
      events.accept(new RunEvent.Ended(job.number(), ended));
    } else if (!stopped) {
      events.accept(new RunEvent.Refused(job.number(), ErrorText.of(failure)));
    }
  }

  private void refused(JobLine job, String reason) {
    onTheWay.release();
    live.release();
    if (!stopped) {
      events.accept(new RunEvent.Refused(job.number(), reason));
    }
  }
}
