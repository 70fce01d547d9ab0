package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Event loop of a run on a single thread. Only this thread counts and draws.
final class RunLoop {

  private static final long DRAW_EVERY = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SAY_EVERY = TimeUnit.SECONDS.toNanos(5);

  private final Handoff handoff;
  private final JobSource source;
  private final OtherJobs otherJobs;
  private final BlockingQueue<RunEvent> events;
  private final RunCounts counts;
  private final Screen screen;
  private final long maxFailures;
  private final long since = System.nanoTime();
  private final Instant begun;
  private long drawn;
  private long said = since;
  private boolean allHandedIn;
  private boolean waitsForOthers;
  private long others = -1;
  private @Nullable RunStop stop;

  /// @param maxFailures number of failed jobs that stops the run; 0 = no limit
  RunLoop(
      Handoff handoff,
      Work work,
      BlockingQueue<RunEvent> events,
      RunCounts counts,
      Screen screen,
      long maxFailures) {
    this.handoff = handoff;
    this.source = work.source();
    this.otherJobs = work.otherJobs();
    this.begun = work.begun().truncatedTo(ChronoUnit.MILLIS);
    this.events = events;
    this.counts = counts;
    this.screen = screen;
    this.maxFailures = maxFailures;
  }

  /// Sources of events.
  ///
  /// @param begun start of the run; jobs with an earlier end belong to earlier runs
  record Work(JobSource source, OtherJobs otherJobs, Instant begun) {}

  /// Runs until the file and all other jobs of the store are complete, or until a stop.
  ///
  /// @return reason of an early stop; otherwise null
  @Nullable RunStop run() throws InterruptedException {
    while (stop == null && !isDone()) {
      next();
      draw();
    }
    source.stop();
    otherJobs.stop();
    close();
    screen.clear();
    return stop;
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - since);
  }

  private boolean isDone() {
    if (!allHandedIn || counts.done() < counts.total()) {
      return false;
    }
    if (!waitsForOthers) {
      waitsForOthers = true;
      otherJobs.watch();
    }
    return others == 0;
  }

  private void next() throws InterruptedException {
    for (var event = events.poll(100, TimeUnit.MILLISECONDS);
        event != null;
        event = events.poll()) {
      on(event);
      if (System.nanoTime() - drawn > DRAW_EVERY) {
        return;
      }
    }
  }

  private void on(RunEvent event) {
    switch (event) {
      case RunEvent.Accepted(boolean known) -> counts.accepted(known);
      case RunEvent.Refused(int line, var reason) -> counts.refused(line, reason);
      case RunEvent.Ended(int line, var job) -> {
        counts.ended(line, job, job.finishedAt().orElseThrow().isBefore(begun));
        if (maxFailures > 0 && counts.failedNow() >= maxFailures) {
          stop(new RunStop.MaxFailures(maxFailures));
        }
      }
      case RunEvent.AllHandedIn(long jobs) -> onAllHandedIn(jobs);
      case RunEvent.Others(long count) -> others = count;
      case RunEvent.Broken(var reason) -> stop(new RunStop.Broken(reason));
      case RunEvent.Told(var words) -> screen.say(words);
      case RunEvent.EngineDown(var reason) ->
          stop(new RunStop.Broken("the engine went down: " + reason));
      case RunEvent.Signalled(var signal) -> stop(new RunStop.Signal(signal));
      case RunEvent.Closed early -> {}
    }
  }

  private void onAllHandedIn(long jobs) {
    allHandedIn = true;
    if (jobs != counts.total()) {
      stop(
          new RunStop.Broken(
              "the file was changed while it was read: it had %d jobs, and then %d"
                  .formatted(counts.total(), jobs)));
    }
  }

  private void stop(RunStop why) {
    if (stop == null) {
      stop = why;
    }
  }

  /// Closes the engine on another thread and continues to count ends.
  private void close() throws InterruptedException {
    sayClosing();
    long begin = System.nanoTime();
    Thread.ofPlatform().name("handoff-close").start(this::closeEngine);
    while (true) {
      var event = events.poll(200, TimeUnit.MILLISECONDS);
      if (event instanceof RunEvent.Closed) {
        return;
      }
      if (event != null) {
        on(event);
      }
      drawClosing(Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private void closeEngine() {
    try {
      handoff.close();
    } finally {
      events.add(new RunEvent.Closed());
    }
  }

  private void sayClosing() {
    screen.clear();
    switch (stop) {
      case null -> {}
      case RunStop.Broken known -> {}
      case RunStop.MaxFailures(long most) ->
          screen.say("stopping after %d failed jobs".formatted(counts.failedNow()));
      case RunStop.Signal(var signal) ->
          screen.say(
              "stopping: running jobs may end first; %s stops at once"
                  .formatted(StopSignals.another(signal)));
    }
  }

  private void drawClosing(Duration since) {
    if (stop != null && since.toMillis() > 500) {
      screen.status("waiting for running jobs to end, " + Durations.format(since));
    }
  }

  private void draw() {
    long now = System.nanoTime();
    if (now - drawn > DRAW_EVERY) {
      drawn = now;
      var words =
          ProgressBar.pace(counts.done(), counts.endedEarlier(), counts.total(), elapsed(), note());
      screen.status(ProgressBar.draw(counts.done(), counts.total(), screen.width(), words));
    }
    if (!screen.isTerminal() && now - said > SAY_EVERY) {
      said = now;
      screen.say(
          "%d of %d done%s, %s"
              .formatted(
                  counts.done(),
                  counts.total(),
                  note().isEmpty() ? "" : ", " + note(),
                  Durations.format(elapsed())));
    }
  }

  private String note() {
    if (waitsForOthers && others > 0) {
      return "%d other jobs of this store still run".formatted(others);
    }
    var failed = counts.failed() == 0 ? "" : counts.failed() + " failed";
    return counts.retries() == 0
        ? failed
        : failed + (failed.isEmpty() ? "" : ", ") + counts.retries() + " retries";
  }
}
