package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.StartException;
import dev.handoff.StoreInfo;
import dev.handoff.Submission;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.engine.Engine;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.ChildActors;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StackClock;
import dev.handoff.testing.StoreAround;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An engine one of whose actors throws an Error")
class FatalErrorTest {

  private static final Duration IN_ORDER = Duration.ofSeconds(5);

  @TempDir Path directory;

  private final HeldHandler held = new HeldHandler();
  private final StackClock clock = new StackClock();
  private final AtomicReference<Part> broken = new AtomicReference<>();
  private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
  private ActorSystem<Void> host;
  private Handoff handoff;

  /// Actor that throws, and the class that reads the failing clock (null = the error has another
  /// source).
  private enum Part {
    ENGINE(null, new StackOverflowError("deep")),
    WORKERS(null, new NoClassDefFoundError("gone")),
    LEDGER(null, new StackOverflowError("deep")),
    PARTITION(null, new OutOfMemoryError("full")),
    GATEWAY("Gateway", new NoClassDefFoundError("gone")),
    DISPATCHER("DispatcherActor", new OutOfMemoryError("full")),
    EVENTS("EventBuffer", new StackOverflowError("deep")),
    QUEUES("QueuesActor", new OutOfMemoryError("full"));

    final String type;
    final Error error;

    Part(String type, Error error) {
      this.type = type;
      this.error = error;
    }
  }

  private static Stream<Arguments> everyPartEverywhere() {
    return Stream.of(EnginePlace.values())
        .flatMap(place -> Stream.of(Part.values()).map(part -> Arguments.of(place, part)));
  }

  private final class Breaking extends StoreAround {
    Breaking(Store inner) {
      super(inner);
    }

    private void breakAt(Part part) {
      if (broken.compareAndSet(part, null)) {
        throw part.error;
      }
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      breakAt(Part.LEDGER);
      return super.write(batch);
    }

    @Override
    public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys) {
      breakAt(Part.PARTITION);
      return super.findKeys(keys);
    }
  }

  @AfterEach
  void stop() {
    if (host != null) {
      host.terminate();
    }
  }

  private EngineBuilder builder(EnginePlace place) {
    return on(place)
        .directory(directory)
        .partitions(1)
        .around(Breaking::new)
        .shutdownGrace(Duration.ofSeconds(1))
        .clock(clock)
        .handler("held", Json.class, held)
        .onDown(reasons::add);
  }

  private EngineBuilder on(EnginePlace place) {
    host = place.startHost();
    return host == null ? EngineBuilder.withOwnSystem() : EngineBuilder.on(host);
  }

  private static <T> CompletableFuture<T> soon(CompletionStage<T> stage) {
    return stage.toCompletableFuture().copy().orTimeout(IN_ORDER.toSeconds(), TimeUnit.SECONDS);
  }

  private String toldReason() throws InterruptedException {
    return reasons.poll(IN_ORDER.toSeconds(), TimeUnit.SECONDS);
  }

  private void strike(Part part) {
    switch (part) {
      case ENGINE -> engine().tell(new Engine.GiveSign(() -> raise(part.error)));
      case WORKERS -> pool().tell(new WorkerPool.GetLoad(raising(part.error)));
      case LEDGER, PARTITION -> broken.set(part);
      case GATEWAY, DISPATCHER, EVENTS, QUEUES -> clock.strike(part.type, part.error);
    }
    handoff.queues().pause("q");
    handoff.submit(JobRequest.of("held").key("k"));
    handoff.submit(List.of(JobRequest.of("held")));
  }

  private ActorRef<Engine.Command> engine() {
    return EngineHooks.running(handoff).guardian();
  }

  private ActorRef<WorkerPool.Command> pool() {
    return ChildActors.named(engine(), "workers");
  }

  private static void raise(Error error) {
    throw error;
  }

  private <T> ActorRef<T> raising(Error error) {
    return new BrokenRef<T>(EngineHooks.running(handoff).system(), 1, () -> error).typed();
  }

  private void isDownInOrder(CompletionStage<Outcome> before) {
    assertThat(soon(before)).failsWithin(IN_ORDER).withThrowableThat().havingCause();
    assertThat(soon(handoff.submit(JobRequest.of("held"))).join())
        .isInstanceOfSatisfying(
            Submission.Unavailable.class,
            answer -> assertThat(answer.reason()).startsWith("the engine is down: "));
    assertThat(soon(handoff.queues().list())).failsWithin(IN_ORDER);
    assertThat(soon(handoff.health()).join().ready()).isFalse();
  }

  /// Asserts that the engine can be closed and then releases the store.
  private void canBeClosed() {
    assertThat(CompletableFuture.runAsync(handoff::close, Thread::startVirtualThread))
        .succeedsWithin(Duration.ofSeconds(20));
    EngineBuilder.withOwnSystem().directory(directory).partitions(1).start().close();
  }

  @ParameterizedTest
  @MethodSource("everyPartEverywhere")
  void isDownInOrder(EnginePlace place, Part part) throws Exception {
    handoff = builder(place).start();
    var job = handoff.submitOrThrow(JobRequest.of("held"));
    var attempt = held.next();
    var result = job.result();

    strike(part);

    assertThat(toldReason()).as(place + " " + part).contains(part.error.toString());
    isDownInOrder(result);
    assertThat(attempt.job().cancellation().await(IN_ORDER)).isTrue();
    canBeClosed();
  }

  @ParameterizedTest
  @EnumSource(EnginePlace.class)
  void isDownOnceWhereTwoOfThemDo(EnginePlace place) throws Exception {
    handoff = builder(place).start();
    var result = handoff.submitOrThrow(JobRequest.of("held")).result();
    held.next();

    broken.set(Part.LEDGER);
    strike(Part.QUEUES);

    assertThat(toldReason()).containsAnyOf("StackOverflowError: deep", "OutOfMemoryError: full");
    isDownInOrder(result);
    canBeClosed();
    assertThat(reasons).isEmpty();
  }

  /// The first attempt to create the listener's thread also fails, with an error other than memory.
  @ParameterizedTest
  @EnumSource(
      value = Part.class,
      names = {"ENGINE", "PARTITION", "LEDGER"})
  void saysSoAlsoIfItThrowsAnotherOneThen(Part part) throws Exception {
    var second = new AtomicReference<Error>(new NoClassDefFoundError("gone"));
    handoff =
        builder(EnginePlace.OWN)
            .onDownThreads(
                task -> {
                  var error = second.getAndSet(null);
                  if (error != null) {
                    throw error;
                  }
                  return new Thread(task);
                })
            .start();
    var result = handoff.submitOrThrow(JobRequest.of("held")).result();
    held.next();

    strike(part);

    assertThat(toldReason()).contains(part.error.toString());
    assertThat(second).hasNullValue();
    isDownInOrder(result);
    canBeClosed();
  }

  /// Pekko sees the error and starts to end the system, but never finishes.
  @ParameterizedTest
  @EnumSource(value = EnginePlace.class, names = "OWN", mode = EnumSource.Mode.EXCLUDE)
  void isDownWhenAnActorOfItsHostThrows(EnginePlace place) throws Exception {
    handoff = builder(place).start();
    var result = handoff.submitOrThrow(JobRequest.of("held")).result();
    held.next();

    host.systemActorOf(throwing(), "throwing", org.apache.pekko.actor.typed.Props.empty());

    assertThat(toldReason()).isEqualTo(EngineEnd.SYSTEM_ENDED);
    isDownInOrder(result);
    canBeClosed();
  }

  private static Behavior<String> throwing() {
    return Behaviors.setup(
        context -> {
          throw new StackOverflowError("deep");
        });
  }

  /// Step of the start that fails.
  private enum Step {
    PARTS {
      @Override
      Store around(Store inner) {
        return new StoreAround(inner) {
          @Override
          public StoreInfo info() {
            throw new NoClassDefFoundError("gone");
          }
        };
      }
    },
    LEDGER {
      @Override
      Store around(Store inner) {
        return new StoreAround(inner) {
          @Override
          public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
            throw new NoClassDefFoundError("gone");
          }
        };
      }
    };

    abstract Store around(Store inner);
  }

  private static Stream<Arguments> everyStepEverywhere() {
    return Stream.of(EnginePlace.values())
        .flatMap(place -> Stream.of(Step.values()).map(step -> Arguments.of(place, step)));
  }

  @ParameterizedTest
  @MethodSource("everyStepEverywhere")
  void isNotStarted(EnginePlace place, Step step) {
    var builder = builder(place).around(step::around);

    var started = CompletableFuture.supplyAsync(builder::start, Thread::startVirtualThread);

    assertThat(started)
        .failsWithin(Duration.ofSeconds(15))
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(StartException.class)
        .withMessageContaining("NoClassDefFoundError: gone");
    EngineBuilder.withOwnSystem().directory(directory).partitions(1).start().close();
  }
}
