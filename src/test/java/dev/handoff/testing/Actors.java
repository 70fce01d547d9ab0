package dev.handoff.testing;

import static org.apache.pekko.actor.ActorRef.noSender;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// An actor system for one test class, stopped after it. Every message in it is written and read
/// back as if it went to another node, unless it is marked as local.
///
/// ```java
/// @RegisterExtension static final Actors actors = Actors.inRealTime();
/// ```
public final class Actors implements BeforeAllCallback, AfterAllCallback {

  private static final String SETTINGS =
      """
      pekko {
        loglevel = "WARNING"
        log-dead-letters = off
        jvm-exit-on-fatal-error = off
        coordinated-shutdown.exit-jvm = off
        actor.serialize-messages = on
        actor.allow-java-serialization = off
        actor.testkit.typed.single-expect-default = 10s
        actor.default-dispatcher.fork-join-executor.minimum-runnable = -1
      }
      """;

  private final Config config;
  private ActorTestKit kit;
  private int depth;

  private Actors(Config config) {
    this.config = config;
  }

  /// Timers take their time.
  public static Actors inRealTime() {
    return new Actors(ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load()));
  }

  /// Timers are due when the test says so: see [#pass].
  public static Actors inManualTime() {
    return new Actors(
        ConfigFactory.parseString(SETTINGS)
            .withFallback(ManualTime.config())
            .withFallback(ConfigFactory.load()));
  }

  /// The same in a system with other settings.
  public Actors with(String settings) {
    return new Actors(ConfigFactory.parseString(settings).withFallback(config));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (depth++ == 0) {
      kit = ActorTestKit.create(context.getRequiredTestClass().getSimpleName(), config);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (--depth == 0) {
      kit.shutdownTestKit();
    }
  }

  public ActorSystem<Void> system() {
    return kit.system();
  }

  public <T> ActorRef<T> spawn(Behavior<T> behavior) {
    return kit.spawn(behavior);
  }

  public <T> TestProbe<T> probe(Class<T> of) {
    return kit.createTestProbe(of);
  }

  public void stop(ActorRef<?> actor) {
    kit.stop(actor.unsafeUpcast());
  }

  /// Ends any actor, whoever its parent is.
  public void kill(ActorRef<?> actor) {
    Adapter.toClassic(actor).tell(PoisonPill.getInstance(), noSender());
  }

  /// Lets time pass: timers that are due by then fire before this returns.
  public void pass(Duration time) {
    ManualTime.get(kit.system()).timePasses(time);
  }
}
