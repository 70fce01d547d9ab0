package dev.handoff;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.handoff.dispatch.AttemptCode;
import dev.handoff.engine.Engine;
import dev.handoff.engine.EngineSettings;
import dev.handoff.store.Store;
import dev.handoff.store.StoreException;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Brings an engine up: settings, store, actor system, guardian, in this order; and takes back what
/// it has opened when one of them fails.
final class Starter {

  private static final Duration LONGEST_START = Duration.ofHours(1);

  /// What a system of our own must be like, whatever the host's configuration says: it never ends
  /// the JVM.
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

  private Starter() {}

  static Handoff start(HandoffBuilder builder) {
    var config = config(builder);
    var handoff = config.getConfig("handoff");
    var settings = EngineSettings.from(handoff);
    var store = Stores.open(storeSettings(builder, handoff));
    try {
      return start(builder, config, settings, store);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static Handoff start(
      HandoffBuilder builder, Config config, EngineSettings settings, Store store) {
    var handoff = new CompletableFuture<Handoff>();
    var blueprint =
        new Engine.Blueprint(
            host(),
            owner(),
            store,
            settings,
            code(builder, handoff),
            builder.clock(),
            reason ->
                Thread.ofVirtual()
                    .name("handoff-on-down")
                    .start(() -> builder.onDown().accept(reason)));
    boolean own = builder.host() == null;
    ActorSystem<?> system =
        own ? ActorSystem.create(Engine.create(blueprint), "handoff", config) : builder.host();
    ActorRef<Engine.Command> engine =
        own
            ? system.unsafeUpcast().narrow()
            : system.systemActorOf(Engine.create(blueprint), "handoff", Props.empty());
    try {
      var doors = await(engine, system);
      var types = blueprint.code().keySet();
      var inside =
          new Handoff.Inside(
              system, own, engine, doors, store, builder.json(), builder.clock(), types, settings);
      handoff.complete(new Handoff(inside));
      return handoff.join();
    } catch (RuntimeException e) {
      if (own) {
        system.terminate();
      }
      throw e;
    }
  }

  private static Engine.Ready await(ActorRef<Engine.Command> engine, ActorSystem<?> system) {
    try {
      var startup =
          AskPattern.<Engine.Command, Engine.Startup>ask(
                  engine, Engine.AwaitStart::new, LONGEST_START, system.scheduler())
              .toCompletableFuture()
              .join();
      return switch (startup) {
        case Engine.Ready doors -> doors;
        case Engine.NotStarted(var reason) -> throw new StartException(reason);
      };
    } catch (CompletionException e) {
      throw new StartException("the engine did not start: " + e.getCause().getMessage());
    }
  }

  /// A system of our own takes `handoff` from the host's configuration and nothing else.
  private static Config config(HandoffBuilder builder) {
    if (builder.host() != null) {
      return builder.overrides().withFallback(builder.host().settings().config());
    }
    var host = ConfigFactory.load().withOnlyPath("handoff");
    return builder
        .overrides()
        .withFallback(ConfigFactory.parseString(OWN_SYSTEM))
        .withFallback(host)
        .withFallback(ConfigFactory.defaultReference())
        .resolve();
  }

  private static StoreSettings storeSettings(HandoffBuilder builder, Config handoff) {
    var kind = builder.store() == null ? kind(handoff.getConfig("store")) : builder.store();
    return new StoreSettings(kind, handoff.getInt("partitions"), StoreSettings.Access.OWN, owner());
  }

  private static StoreSettings.Kind kind(Config store) {
    var kind = store.getString("kind");
    return switch (kind) {
      case "file" -> new StoreSettings.File(Path.of(store.getString("file.directory")));
      case "postgres" ->
          new StoreSettings.Postgres(
              store.getString("postgres.url"),
              store.getString("postgres.user"),
              store.getString("postgres.password"),
              store.getDuration("postgres.connect-timeout"));
      case "memory" -> new StoreSettings.Memory();
      default ->
          throw new StoreException.Unfit(
              "handoff.store.kind \"%s\" does not exist; known: file, postgres, memory"
                  .formatted(kind));
    };
  }

  private static Map<String, AttemptCode> code(
      HandoffBuilder builder, CompletableFuture<Handoff> handoff) {
    var code = new HashMap<String, AttemptCode>();
    var adapter =
        new HandlerAdapter(builder.json(), handoff, builder.clock(), builder.handlers().keySet());
    builder.handlers().forEach((type, handler) -> code.put(type, adapter.code(handler)));
    return Map.copyOf(code);
  }

  private static String owner() {
    var started = ManagementFactory.getRuntimeMXBean().getStartTime();
    return "pid %d on %s, started %s"
        .formatted(
            ProcessHandle.current().pid(),
            host(),
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
