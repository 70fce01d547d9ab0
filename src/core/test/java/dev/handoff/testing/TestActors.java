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

/// JUnit extension with an actor system for one test class, stopped after the class. Every message
/// is serialized and deserialized as between nodes, unless its type is marked as local.
///
/// ```java
/// @RegisterExtension static final Actors actors = Actors.inRealTime();
/// ```
public final class TestActors implements BeforeAllCallback, AfterAllCallback {

  private static final String SETTINGS =
      """
      pekko {
        loglevel = "WARNING"
        log-dead-letters = off
        jvm-exit-on-fatal-error = off
        coordinated-shutdown.exit-jvm = off
        actor.serialize-messages = on
        actor.allow-java-serialization = off
        actor.testkit.typed.single-expect-default = %ds
        actor.default-dispatcher.fork-join-executor.minimum-runnable = -1
      }
      """
          .formatted(Math.min(10, BoundedWaits.PATIENCE.toSeconds()));

  private final Config config;
  private ActorTestKit kit;
  private int depth;

  private TestActors(Config config) {
    this.config = config;
  }

  /// Actor system whose timers run on the real clock.
  public static TestActors inRealTime() {
    return new TestActors(ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load()));
  }

  /// Actor system whose timers run on a manual clock: see [#pass].
  public static TestActors inManualTime() {
    return new TestActors(
        ConfigFactory.parseString(SETTINGS)
            .withFallback(ManualTime.config())
            .withFallback(ConfigFactory.load()));
  }

  /// Extension with additional settings for the actor system.
  public TestActors with(String settings) {
    return new TestActors(ConfigFactory.parseString(settings).withFallback(config));
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

  /// Stops any actor, whatever its parent.
  public void kill(ActorRef<?> actor) {
    Adapter.toClassic(actor).tell(PoisonPill.getInstance(), noSender());
  }

  /// Advances the manual clock. Timers due by then fire before the method returns.
  public void pass(Duration time) {
    ManualTime.get(kit.system()).timePasses(time);
  }
}
