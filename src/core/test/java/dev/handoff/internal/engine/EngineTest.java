package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.StoreSettings;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.plan.apply.DirectoryApplier;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.TestActors;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("An engine")
class EngineTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final HeldStore store =
      new HeldStore(
          StoreOpener.open(
              new StoreSettings(
                  new StoreSettings.Memory(), 2, StoreSettings.Access.OWN, "the test")));
  private final BlockingQueue<String> downfalls = new LinkedBlockingQueue<>();
  private final TestProbe<Engine.Startup> startups = actors.probe(Engine.Startup.class);
  private final TestProbe<Engine.Stopped> stops = actors.probe(Engine.Stopped.class);
  private final TestProbe<Engine.HealthReport> reports = actors.probe(Engine.HealthReport.class);

  private ActorRef<Engine.Command> start() {
    return actors.spawn(Engine.create(blueprint()));
  }

  private Engine.Blueprint blueprint() {
    var settings =
        EngineSettings.from(ConfigFactory.defaultReference().resolve().getConfig("handoff"));
    return new Engine.Blueprint(
        "here",
        "the test",
        store,
        settings,
        Map.of(),
        Optional.empty(),
        new DirectoryApplier(new StoreContents(store)),
        InstantSource.system(),
        downfalls::add);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private void ask(ActorRef<Engine.Command> engine) {
    engine.tell(new Engine.AwaitStart(startups.ref()));
  }

  private Engine.HealthReport health(ActorRef<Engine.Command> engine) {
    engine.tell(new Engine.GetHealth(reports.ref()));
    return reports.receiveMessage();
  }

  private void shutDown(ActorRef<Engine.Command> engine) {
    engine.tell(new Engine.Shutdown(stops.ref()));
    assertThat(stops.receiveMessage().abandoned()).isZero();
  }

  @Test
  void answersWhoeverWaitsForItsStartAndWhoeverComesLater() {
    store.holdTakeOvers();
    var engine = start();
    ask(engine);
    assertThat(health(engine).ready()).isFalse();

    store.release();

    startups.expectMessageClass(Engine.Ready.class);
    ask(engine);
    startups.expectMessageClass(Engine.Ready.class);
    assertThat(health(engine).ready()).isTrue();
    shutDown(engine);
  }

  @Test
  void answersWhoeverWaitsForAStartThatIsGivenUp() {
    store.holdTakeOvers();
    var engine = start();
    ask(engine);

    shutDown(engine);

    assertThat(startups.receiveMessage()).isEqualTo(new Engine.NotStarted("it is closed"));
    ask(engine);
    assertThat(startups.receiveMessage()).isEqualTo(new Engine.NotStarted("it is closed"));
    assertThat(health(engine).problems()).containsExactly("the engine is closed");
  }

  @Test
  void canBeStoppedMoreThanOnce() {
    var engine = start();
    ask(engine);
    startups.expectMessageClass(Engine.Ready.class);

    engine.tell(new Engine.Shutdown(stops.ref()));
    engine.tell(new Engine.Shutdown(stops.ref()));

    stops.receiveSeveralMessages(2);
    shutDown(engine);
    engine.tell(Engine.Leave.INSTANCE);
    actors.probe(Object.class).expectTerminated(engine);
    assertThat(downfalls).isEmpty();
  }

  @Test
  void isDownWithoutOneOfItsPartsAndSaysWhy() throws InterruptedException {
    var engine = start();
    ask(engine);
    var doors = startups.expectMessageClass(Engine.Ready.class);

    actors.kill(doors.events());

    assertThat(downfalls.take()).isEqualTo("its part \"events\" is gone");
    assertThat(health(engine).problems())
        .containsExactly("the engine is down: its part \"events\" is gone");
    ask(engine);
    assertThat(startups.receiveMessage())
        .isEqualTo(new Engine.NotStarted("its part \"events\" is gone"));
    shutDown(engine);
    assertThat(downfalls).isEmpty();
  }

  @Test
  void stopsItsPartsAlthoughItFailsAtThatAtFirst() throws InterruptedException {
    var made = new CompletableFuture<EngineActor>();
    ActorRef<Engine.Command> engine =
        actors.spawn(
            Behaviors.setup(
                context -> {
                  made.complete(new EngineActor(context, blueprint()));
                  return made.join();
                }));
    ask(engine);
    var doors = startups.expectMessageClass(Engine.Ready.class);
    var pool = BrokenRef.<WorkerPool.Command>once(actors.system());
    engine.tell(new Engine.GiveSign(() -> made.join().parts.pools.add(pool.typed())));

    actors.kill(doors.events());

    actors.probe(Object.class).expectTerminated(doors.partitions().getFirst());
    assertThat(pool.next()).isEqualTo(WorkerPool.Revoke.INSTANCE);
    assertThat(downfalls.take()).isEqualTo("its part \"events\" is gone");
    shutDown(engine);
    assertThat(downfalls).isEmpty();
  }

  @Test
  void leavesNobodyWaitingWhenItEndsBeforeItsTime() {
    store.holdTakeOvers();
    var engine = start();
    ask(engine);
    assertThat(health(engine).ready()).isFalse();

    actors.kill(engine);

    assertThat(startups.receiveMessage()).isEqualTo(new Engine.NotStarted("it has ended"));
  }
}
