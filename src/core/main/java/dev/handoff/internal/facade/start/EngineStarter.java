package dev.handoff.internal.facade.start;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.handoff.Handoff;
import dev.handoff.StartException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.actor.MemoryReserve;
import dev.handoff.internal.ask.FullHeapSteps;
import dev.handoff.internal.dispatch.worker.AttemptCode;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.engine.EngineSettings;
import dev.handoff.internal.facade.BoundedWait;
import dev.handoff.internal.facade.EngineCalls;
import dev.handoff.internal.facade.EventStreams;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.JobSubmissions;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.facade.attempt.HandlerAdapter;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.plan.capture.WorkingCopies;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.internal.spi.ContextAssembly;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.open.StoreOpener;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;

/// Starts an engine: settings, store, actor system, guardian, in this order. After a failure, the
/// parts opened so far are closed again.
final class EngineStarter {

  private static final Duration TERMINATION = Duration.ofSeconds(10);

  /// Settings of an own actor system, which override the host's configuration: the system never
  /// ends the JVM.
  private static final String OWN_SYSTEM =
      """
      pekko {
        loglevel = "INFO"
        stdout-loglevel = "OFF"
        loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
        logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
        log-dead-letters = off
        log-dead-letters-during-shutdown = off
        jvm-exit-on-fatal-error = off
        jvm-shutdown-hooks = off
        coordinated-shutdown {
          exit-jvm = off
          run-by-jvm-shutdown-hook = off
        }
        actor.default-dispatcher {
          throughput = 64
          fork-join-executor {
            parallelism-min = 2
            minimum-runnable = -1
          }
        }
      }
      """;

  private static final String HOST = host();
  private static final AtomicLong ENGINES = new AtomicLong();

  private final EngineBuilder builder;
  private final EngineSettings settings;
  private final Optional<ContextAssembly> contexts;
  private final WorkingCopies copies;
  private final List<Path> leftovers;
  private final Store store;
  private final JobSubmissions submissions;
  private final CompletableFuture<JobCalls> jobs = new CompletableFuture<>();
  private final CompletableFuture<EngineHandoff> handoff = new CompletableFuture<>();

  /// Created in advance, because it is called when the heap is full.
  private final Consumer<String> down = this::down;

  private EngineStarter(
      EngineBuilder builder,
      HandoffConfiguration read,
      Optional<ContextAssembly> contexts,
      Optional<Path> beside,
      Store store) {
    this.builder = builder;
    this.settings = read.engine();
    this.contexts = contexts;
    this.copies = beside.map(WorkingCopies::beside).orElseGet(WorkingCopies::temporary);
    this.leftovers = beside.isPresent() ? copies.leftovers() : List.of();
    this.store = store;
    this.submissions = submissions(builder, read);
  }

  static Handoff start(EngineBuilder builder) {
    MemoryReserve.setAside();
    var config = config(builder);
    var read = HandoffConfiguration.read(config);
    HandoffConfiguration.warnOfTypes(config, builder.handlers().keySet());
    var kind = builder.store() == null ? read.store() : builder.store();
    var beside = directory(kind);
    var contexts = builder.context().assembly(config, beside);
    var drops = read.engine().history().rules().mayDrop();
    var store =
        StoreOpener.open(
            new StoreSettings(kind, read.partitions(), StoreSettings.Access.OWN, owner(), drops));
    try {
      return new EngineStarter(builder, read, contexts, beside, builder.around().apply(store))
          .start(config);
    } catch (Throwable e) {
      store.close();
      throw e;
    }
  }

  /// Directory of a file store; empty for another kind.
  private static Optional<Path> directory(StoreSettings.Kind kind) {
    return kind instanceof StoreSettings.File(var directory)
        ? Optional.of(directory)
        : Optional.empty();
  }

  /// Validation of submissions, without an engine.
  static JobSubmissions submissions(EngineBuilder builder) {
    return submissions(builder, HandoffConfiguration.read(config(builder)));
  }

  private static JobSubmissions submissions(EngineBuilder builder, HandoffConfiguration read) {
    return new JobSubmissions(builder.handlers(), read.queues(), builder.clock(), builder.json());
  }

  private Handoff start(Config config) {
    var host = builder.host();
    return host == null ? startOwn(config) : startOn(host);
  }

  private Handoff startOwn(Config config) {
    var system = ActorSystem.create(Engine.create(blueprint()), "handoff", config);
    try {
      return started(system, system, true);
    } catch (Throwable e) {
      fail(e);
      system.terminate();
      BoundedWait.forEnd(system.getWhenTerminated(), TERMINATION);
      throw e;
    }
  }

  private Handoff startOn(ActorSystem<?> host) {
    var name = "handoff-" + ENGINES.incrementAndGet();
    var engine = asSystemActor(host, Engine.create(blueprint()), name);
    try {
      return started(host, engine, false);
    } catch (Throwable e) {
      fail(e);
      engine.tell(Engine.Leave.INSTANCE);
      throw e;
    }
  }

  private void fail(Throwable cause) {
    jobs.completeExceptionally(cause);
    handoff.completeExceptionally(cause);
  }

  private void down(String reason) {
    if (handoff.isDone() && !handoff.isCompletedExceptionally()) {
      down(handoff.join(), reason);
    } else {
      handoff.thenAccept(engine -> down(engine, reason));
    }
  }

  private void down(EngineHandoff engine, String reason) {
    engine.down(reason, builder.onDown(), builder.onDownThreads());
  }

  private Engine.Blueprint blueprint() {
    return new Engine.Blueprint(
        HOST,
        owner(),
        store,
        settings,
        code(),
        contexts,
        builder.applies().apply(new StoreContents(store)),
        builder.clock(),
        reason -> FullHeapSteps.outlast(down, reason));
  }

  private Handoff started(ActorSystem<?> system, ActorRef<Engine.Command> engine, boolean own) {
    var end = EngineEnd.on(system);
    Engine.Ready ready;
    try {
      ready = await(engine, system, end);
    } catch (Throwable e) {
      end.forget();
      throw e;
    }
    var running =
        new RunningEngine(
            system,
            own,
            engine,
            ready.withoutInterrupted(),
            store,
            submissions,
            settings,
            new EngineCalls(ready.questions()),
            new EventStreams(ready.questions()));
    var calls = new JobCalls(running);
    jobs.complete(calls);
    handoff.complete(new EngineHandoff(calls, end));
    end.reason().thenAccept(reason -> FullHeapSteps.outlast(down, reason));
    new LostAttemptCleanup(builder.handlers(), builder.json()).after(ready.interrupted());
    removeCopies(ready.interrupted());
    return handoff.join();
  }

  /// Removes the working copies of a killed process. Every copy has a unique name, so the start
  /// need not wait for the removal.
  private void removeCopies(List<JobState> interrupted) {
    Thread.ofVirtual()
        .name("handoff-copies")
        .start(
            () -> {
              leftovers.forEach(WorkingCopies::remove);
              interrupted.forEach(job -> copies.clear(job.id(), job.attempt()));
            });
  }

  private static Engine.Ready await(
      ActorRef<Engine.Command> engine, ActorSystem<?> system, EngineEnd end) {
    var answer = new CompletableFuture<Engine.Startup>();
    end.reason().thenAccept(reason -> answer.complete(new Engine.NotStarted(reason)));
    var name = "%s-opening-%d".formatted(engine.path().name(), ENGINES.incrementAndGet());
    asSystemActor(system, EngineObserver.create(engine, answer, end), name);
    return switch (new StartupWait(engine, answer).run()) {
      case Engine.Ready ready -> ready;
      case Engine.NotStarted(var reason) -> throw notStarted(reason);
    };
  }

  private static <T> ActorRef<T> asSystemActor(
      ActorSystem<?> system, Behavior<T> behavior, String name) {
    try {
      return system.systemActorOf(behavior, name, Props.empty());
    } catch (IllegalStateException ending) {
      throw notStarted(EngineEnd.SYSTEM_ENDED);
    }
  }

  private static StartException notStarted(String reason) {
    return new StartException("the engine did not start: " + reason);
  }

  /// Configuration of the actor system. An own system takes only the section `handoff` from the
  /// host's configuration.
  private static Config config(EngineBuilder builder) {
    if (builder.host() != null) {
      return builder
          .overrides()
          .withFallback(builder.host().settings().config())
          .withFallback(ConfigFactory.defaultReference())
          .resolve();
    }
    var host = ConfigFactory.load().withOnlyPath("handoff");
    return builder
        .overrides()
        .withFallback(ConfigFactory.parseString(OWN_SYSTEM))
        .withFallback(host)
        .withFallback(ConfigFactory.defaultReference())
        .resolve();
  }

  private Map<String, AttemptCode> code() {
    var code = new HashMap<String, AttemptCode>();
    var adapter = new HandlerAdapter(builder.json(), jobs, submissions, copies);
    builder.handlers().forEach((type, handler) -> code.put(type, adapter.code(handler)));
    return Map.copyOf(code);
  }

  private static String owner() {
    var started = ManagementFactory.getRuntimeMXBean().getStartTime();
    return "pid %d on %s, started %s"
        .formatted(
            ProcessHandle.current().pid(),
            HOST,
            Instant.ofEpochMilli(started).truncatedTo(ChronoUnit.SECONDS));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      return "localhost";
    }
  }
}
