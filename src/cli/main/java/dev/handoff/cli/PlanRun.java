package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.PlanCancelHandle;
import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Event loop of a plan's run on a single thread. Only this thread draws.
final class PlanRun {

  private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(100);

  private final Handoff handoff;
  private final PlanHandle plan;
  private final BlockingQueue<PlanEvent> events;
  private final Screen screen;
  private final PlanProgress progress;
  private final OtherJobs otherJobs;
  private final long since = System.nanoTime();
  private long asked;
  private boolean asking;
  private long others = -1;
  private @Nullable PlanInfo seen;
  private @Nullable PlanInfo ended;
  private @Nullable PlanCancelHandle cancelling;
  private @Nullable String signal;
  private @Nullable String broken;

  /// @param types known job types
  /// @param events queue, shared with the sources of signals and engine failures
  PlanRun(
      Handoff handoff,
      Set<String> types,
      PlanHandle plan,
      BlockingQueue<PlanEvent> events,
      Screen screen,
      PlanProgress progress) {
    this.handoff = handoff;
    this.plan = plan;
    this.events = events;
    this.screen = screen;
    this.progress = progress;
    this.otherJobs =
        new OtherJobs(handoff, types, count -> events.add(new PlanEvent.Others(count)));
  }

  /// Runs until the plan ends or a stop is requested, then closes the engine.
  PlanEnd run() throws InterruptedException {
    plan.ended()
        .whenComplete(
            (info, failure) ->
                events.add(
                    info == null
                        ? new PlanEvent.Broken(ErrorText.of(failure))
                        : new PlanEvent.Ended(info)));
    while (ended == null && broken == null && !isKept() && isToGoOn()) {
      step();
    }
    var diff = ended == null ? Optional.<PlanDiff>empty() : diff(ended);
    var cancel = ended == null ? Optional.<PlanCancelReport>empty() : report();
    var elapsed = elapsed();
    var stoppedBy = signal;
    awaitOthers();
    close();
    elapsed = ended == null ? elapsed() : elapsed;
    screen.clear();
    return new PlanEnd(
        plan.id(),
        ended == null ? seen : ended,
        ended != null,
        ended == null ? signal : stoppedBy,
        broken,
        diff,
        cancel,
        elapsed);
  }

  /// Waits for jobs of earlier runs, which the engine has also started, unless the user stops the
  /// run.
  private void awaitOthers() throws InterruptedException {
    if (ended == null || signal != null || broken != null) {
      return;
    }
    screen.clear();
    otherJobs.watch();
    while (others != 0 && signal == null && broken == null) {
      var event = events.poll(100, TimeUnit.MILLISECONDS);
      if (event != null) {
        on(event);
      }
    }
    otherJobs.stop();
  }

  private void others(long count) {
    var words =
        "%s of this store %s under way; Ctrl-C leaves %s"
            .formatted(
                PlanText.count(count, "other job"),
                count == 1 ? "is" : "are",
                count == 1 ? "it" : "them");
    if (count > 0 && others < 0 && !screen.isTerminal()) {
      screen.say(words);
    }
    if (count > 0) {
      screen.status(TerminalText.brief(words, screen.width()));
    }
    others = count;
  }

  private boolean isToGoOn() {
    return signal == null || signal.equals("INT");
  }

  /// Whether only open changesets remain, which no program will close.
  private boolean isKept() {
    return seen != null && OpenChangesetText.keeps(seen);
  }

  private void step() throws InterruptedException {
    look();
    for (var event = events.poll(100, TimeUnit.MILLISECONDS);
        event != null;
        event = events.poll()) {
      on(event);
    }
    draw();
  }

  private void look() {
    if (!asking && System.nanoTime() - asked > LOOK_EVERY) {
      asking = true;
      plan.info()
          .whenComplete(
              (info, failure) ->
                  events.add(
                      info == null || info.isEmpty()
                          ? new PlanEvent.NotSeen()
                          : new PlanEvent.Seen(info.get())));
    }
  }

  private void on(PlanEvent event) {
    switch (event) {
      case PlanEvent.Seen(var info) -> seen(info);
      case PlanEvent.NotSeen none -> asked();
      case PlanEvent.Ended(var info) -> {
        seen(info);
        ended = info;
      }
      case PlanEvent.Broken(var reason) -> broken = broken == null ? reason : broken;
      case PlanEvent.Signalled(var name) -> onSignal(name);
      case PlanEvent.Others(long count) -> others(count);
      case PlanEvent.Told(var words) -> screen.say(words);
      case PlanEvent.Closed early -> {}
    }
  }

  private void seen(PlanInfo info) {
    asked();
    if (ended == null) {
      seen = info;
      progress.changed(info, screen);
    }
  }

  private void asked() {
    asking = false;
    asked = System.nanoTime();
  }

  /// Handles a signal. Ctrl-C cancels the plan, and the run waits for its end. Other signals stop
  /// the run; a later run continues the plan.
  private void onSignal(String name) {
    signal = name;
    if (ended != null) {
      screen.clear();
      screen.say(
          "stopping: running jobs may end first; %s stops at once"
              .formatted(StopSignals.another(name)));
    } else if (name.equals("INT")) {
      screen.say("cancelling the plan: running steps are stopped; another Ctrl-C stops at once");
      cancelling = plan.cancel("stopped by Ctrl-C", "cli");
    } else {
      screen.say("stopping: running steps may end first; a second signal stops at once");
    }
  }

  /// Changes of the plan; empty if none or unreadable.
  private Optional<PlanDiff> diff(PlanInfo info) {
    return info.changesets().isEmpty() ? Optional.empty() : told(plan.diff());
  }

  /// Report of the cancel, if this run requested it.
  private Optional<PlanCancelReport> report() {
    return cancelling == null ? Optional.empty() : told(cancelling.ended());
  }

  private static <T> Optional<T> told(CompletionStage<T> stage) {
    try {
      return Optional.of(stage.toCompletableFuture().join());
    } catch (CompletionException unknown) {
      return Optional.empty();
    }
  }

  /// Closes the engine on another thread and continues to display progress.
  private void close() throws InterruptedException {
    long begin = System.nanoTime();
    Thread.ofPlatform().name("handoff-close").start(this::closeEngine);
    for (var event = events.poll(200, TimeUnit.MILLISECONDS);
        !(event instanceof PlanEvent.Closed);
        event = events.poll(200, TimeUnit.MILLISECONDS)) {
      if (event != null) {
        onWhileClosing(event);
      }
      drawClosing(Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private void onWhileClosing(PlanEvent event) {
    switch (event) {
      case PlanEvent.Signalled(var name) -> signal = name;
      case PlanEvent.Ended over -> on(over);
      case PlanEvent.Seen look -> on(look);
      case PlanEvent.NotSeen late -> {}
      case PlanEvent.Others late -> {}
      case PlanEvent.Told(var words) -> screen.say(words);
      case PlanEvent.Broken late -> {}
      case PlanEvent.Closed early -> {}
    }
  }

  private void closeEngine() {
    try {
      handoff.close();
    } finally {
      events.add(new PlanEvent.Closed());
    }
  }

  private void drawClosing(Duration since) {
    if (since.toMillis() > 500) {
      screen.status("waiting for running jobs to end, " + Durations.format(since));
    }
  }

  private void draw() {
    if (seen != null) {
      progress.draw(seen, screen, elapsed());
    }
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - since);
  }
}
