package dev.handoff.internal.engine;

import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Guardian of an engine: starts its parts in dependency order, reports readiness and health, and
/// stops the parts.
///
/// ```
/// starting ──every partition open──▶ ready ──Shutdown──▶ draining ──no attempt left──▶ closed ──Leave──▶ stopped
///     │                                └──── a part is lost ─────▶ down ──Shutdown────────▲
///     └─── a part is lost, or the store stays away ──▶ not started ──Shutdown─────────────┘
/// ```
///
/// An engine that is down does no more work: its parts and its attempts are stopped. It still
/// answers health requests, and the host's JVM goes on.
final class EngineActor extends AbstractMatchingBehavior<Engine.Command> {

  final EngineParts parts;
  private final Engine.Blueprint blueprint;
  private final Map<Integer, ActorRef<Dispatcher.Command>> dispatchers = new TreeMap<>();
  private final Map<Integer, String> away = new TreeMap<>();
  private final List<ActorRef<Engine.Startup>> starting = new ArrayList<>();
  private final List<JobState> interrupted = new ArrayList<>();
  private final List<ActorRef<Engine.Stopped>> stopping = new ArrayList<>();

  private boolean ready;
  private boolean impatient;
  private boolean stopped;
  private int drained;
  private int abandoned;
  private @Nullable String downBecause;

  EngineActor(ActorContext<Engine.Command> context, Engine.Blueprint blueprint) {
    super(context);
    this.blueprint = blueprint;
    parts = new EngineParts(context, blueprint);
  }

  @Override
  public Behavior<Engine.Command> onMessage(Engine.Command message) {
    try {
      return handle(message);
    } catch (Throwable failure) {
      return onOwnFailure(failure);
    }
  }

  @Override
  public Behavior<Engine.Command> onSignal(Signal signal) {
    try {
      return handle(signal);
    } catch (Throwable failure) {
      return onOwnFailure(failure);
    }
  }

  /// An engine that failed itself can still be queried and closed.
  private Behavior<Engine.Command> onOwnFailure(Throwable failure) {
    goDown("it failed: " + failure);
    return this;
  }

  private Behavior<Engine.Command> handle(Engine.Command message) {
    switch (message) {
      case Engine.AwaitStart(var replyTo) -> onAwaitStart(replyTo);
      case Engine.Opened opened -> onOpened(opened);
      case Engine.StoreAway(int partition, var reason) -> onStoreAway(partition, reason);
      case Engine.StoreBack(int partition) -> onStoreBack(partition);
      case Engine.PartitionDown(int partition, var reason) -> goDown(reason);
      case Engine.GetHealth(var replyTo) -> onGetHealth(replyTo);
      case Engine.GiveSign(var sign) -> sign.run();
      case Engine.Surveyed(var found, var replyTo) -> replyTo.tell(report(found));
      case Engine.PatienceOver over -> onPatienceOver();
      case Engine.PartGone(var part) -> onPartGone(part);
      case Engine.Shutdown(var replyTo) -> onShutdown(replyTo);
      case Engine.Drained(var last) -> onDrained(last);
      case Engine.DrainOver over -> stopWhatIsLeft();
      case Engine.Leave leave -> {
        return Behaviors.stopped();
      }
    }
    return this;
  }

  private Behavior<Engine.Command> handle(Signal signal) {
    switch (signal) {
      case ChildFailed failed -> onPartFailed(failed);
      // Signals overtake messages: the part's last messages are still in the mailbox.
      case Terminated gone -> getContext().getSelf().tell(new Engine.PartGone(gone.getRef()));
      case PostStop end -> onEnd();
      default -> {
        return Behaviors.unhandled();
      }
    }
    return this;
  }

  private void onAwaitStart(ActorRef<Engine.Startup> replyTo) {
    starting.add(replyTo);
    answerStart();
  }

  private void onOpened(Engine.Opened opened) {
    dispatchers.put(opened.partition(), opened.dispatcher());
    interrupted.addAll(opened.interrupted());
    away.remove(opened.partition());
    if (opened.partition() == 0) {
      parts.queues.tell(new Queues.Restored(opened.queues(), opened.ledger()));
    }
    parts.queues.tell(new Queues.Hello(opened.partition(), opened.dispatcher()));
    var meet = new WorkerPool.Meet(opened.partition(), opened.dispatcher());
    parts.pools.forEach(pool -> pool.tell(meet));
    ready = dispatchers.size() == parts.partitions.size();
    answerStart();
  }

  private void answerStart() {
    if (downBecause != null) {
      tellStarting(new Engine.NotStarted(downBecause));
    } else if (stopped) {
      tellStarting(new Engine.NotStarted("it is closed"));
    } else if (ready && !starting.isEmpty()) {
      var left = List.copyOf(interrupted);
      interrupted.clear();
      tellLost(left.size());
      tellStarting(parts.ready(left));
    }
  }

  private void tellLost(int attempts) {
    if (attempts > 0) {
      getContext().getLog().warn("[{}] attempts were lost with the former process", attempts);
    }
  }

  private void tellStarting(Engine.Startup answer) {
    starting.forEach(waiting -> waiting.tell(answer));
    starting.clear();
  }

  /// A starting engine waits for the store only for a limited time: its host can react to the
  /// failure.
  private void onStoreAway(int partition, String reason) {
    if (away.isEmpty()) {
      getContext().getLog().warn("the store is away: {}", reason);
    }
    away.put(partition, reason);
    if (!ready && !impatient) {
      impatient = true;
      getContext()
          .scheduleOnce(
              blueprint.settings().startPatience(),
              getContext().getSelf(),
              Engine.PatienceOver.INSTANCE);
    }
  }

  private void onStoreBack(int partition) {
    away.remove(partition);
    if (away.isEmpty()) {
      getContext().getLog().info("the store is back");
    }
  }

  private void onPatienceOver() {
    impatient = false;
    if (!ready && !away.isEmpty()) {
      goDown("the store is away: " + away.values().iterator().next());
    }
  }

  private void onPartFailed(ChildFailed part) {
    goDown(
        "its part \"%s\" failed: %s"
            .formatted(part.getRef().path().name(), FatalErrorGuard.cause(part)));
    onPartGone(part.getRef());
  }

  /// Handles a stopped part. During a shutdown a pool stops by itself after its last attempt.
  private void onPartGone(ActorRef<?> part) {
    parts.remove(part);
    if (!isPool(part) || stopping.isEmpty()) {
      goDown("its part \"%s\" is gone".formatted(part.path().name()));
    }
    answerStopped();
  }

  private boolean isPool(ActorRef<?> part) {
    return parts.pools.stream().anyMatch(part::equals);
  }

  /// Takes the engine down: the loss of one part ends all. A lost partition means that another
  /// engine owns the store; without any other part, jobs would be accepted and never run. During a
  /// shutdown the pools stop too: no partition is left for their reports.
  ///
  /// A repeated call stops the parts if the first call could not.
  private void goDown(String reason) {
    if (stopped) {
      return;
    }
    try {
      if (downBecause == null) {
        downBecause = reason;
        tellDown(reason);
      }
    } finally {
      parts.pools.forEach(pool -> pool.tell(WorkerPool.Revoke.INSTANCE));
      stopParts(part -> !stopping.isEmpty() || !isPool(part));
    }
  }

  private void tellDown(String reason) {
    if (ready && stopping.isEmpty()) {
      try {
        blueprint.down().tell(reason);
      } catch (Throwable second) {
        // A second failure must not suppress the report of the first.
        MemoryReserve.giveBackAfter(second);
        blueprint.down().tell(reason);
      }
    }
    getContext().getLog().error("the engine is down: {}", reason);
  }

  private void stopParts(Predicate<ActorRef<?>> which) {
    parts.stop(which);
    stopped = true;
    dispatchers.clear();
    answerStart();
    answerStopped();
  }

  private void onGetHealth(ActorRef<Engine.HealthReport> replyTo) {
    if (stopped) {
      replyTo.tell(report(LoadSurvey.Found.NOTHING));
    } else {
      var self = getContext().getSelf();
      getContext()
          .spawnAnonymous(
              LoadSurvey.create(
                  dispatchers.values(),
                  parts.pools,
                  parts.queues,
                  found -> self.tell(new Engine.Surveyed(found, replyTo))));
    }
  }

  private Engine.HealthReport report(LoadSurvey.Found found) {
    var problems = new ArrayList<String>();
    if (downBecause != null) {
      problems.add("the engine is down: " + downBecause);
    } else if (!stopping.isEmpty() || stopped) {
      problems.add("the engine is closed");
    }
    away.values().stream()
        .distinct()
        .forEach(reason -> problems.add("the store is away: " + reason));
    found.dispatchers().stream()
        .flatMap(load -> load.unknownTypes().stream())
        .distinct()
        .sorted()
        .forEach(type -> problems.add("no worker for type " + type));
    var workers = found.workers();
    if (workers != null && workers.heldUp() > 0) {
      problems.add(heldUp(workers.heldUp()));
    }
    boolean takesJobs = ready && !stopped && stopping.isEmpty() && away.isEmpty();
    return new Engine.HealthReport(
        takesJobs, problems, found.dispatchers(), workers, found.rules());
  }

  private static String heldUp(int handlers) {
    return "%s for a processor: use `JobHandler.blocking`, or fewer workers"
        .formatted(handlers == 1 ? "1 handler waits" : handlers + " handlers wait");
  }

  private void onShutdown(ActorRef<Engine.Stopped> replyTo) {
    boolean first = stopping.isEmpty();
    stopping.add(replyTo);
    if (stopped) {
      stopParts(part -> true);
    } else if (first) {
      drain();
    }
  }

  /// Drains the engine. An attempt whose end takes too long, because the store is away or its code
  /// does not stop, is found lost by the next start.
  private void drain() {
    dispatchers.values().forEach(dispatcher -> dispatcher.tell(Dispatcher.Drain.INSTANCE));
    var drained = getContext().messageAdapter(WorkerPool.Stopped.class, Engine.Drained::new);
    parts.pools.forEach(pool -> pool.tell(new WorkerPool.Shutdown(drained)));
    var longest = blueprint.settings().longestShutdown();
    getContext().scheduleOnce(longest, getContext().getSelf(), Engine.DrainOver.INSTANCE);
  }

  private void onDrained(WorkerPool.Stopped pool) {
    abandoned += pool.abandoned();
    if (++drained == parts.pools.size()) {
      stopWhatIsLeft();
    }
  }

  private void stopWhatIsLeft() {
    if (!stopped) {
      stopParts(part -> true);
    }
  }

  private void answerStopped() {
    if (parts.areGone()) {
      stopping.forEach(waiting -> waiting.tell(new Engine.Stopped(abandoned)));
      stopping.clear();
    }
  }

  /// Answers all waiting requesters: the actor may be stopped from outside, ahead of its shutdown.
  private void onEnd() {
    tellStarting(new Engine.NotStarted("it has ended"));
    stopping.forEach(waiting -> waiting.tell(new Engine.Stopped(abandoned)));
  }
}
