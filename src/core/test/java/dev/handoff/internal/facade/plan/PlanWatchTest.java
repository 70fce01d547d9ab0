package dev.handoff.internal.facade.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.UnavailableException;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanNotFoundException;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.OtherDoors;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Waiting for the end of a plan")
class PlanWatchTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private final BrokenRef<Gateway.Command> gateway = BrokenRef.full(actors.system());
  private HeldStore store;
  private Handoff handoff;
  private PlanHandle plan;

  @BeforeEach
  void start() {
    handoff = engine();
    plan = handoff.plans().submitOrThrow(PlanRequest.of("site").step("a", JobRequest.of("held")));
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private Handoff engine() {
    return EngineBuilder.on(actors.system())
        .store(home.store())
        .around(inner -> store = new HeldStore(inner))
        .shutdownGrace(Duration.ZERO)
        .set("ledger.retry-after", Duration.ofMillis(10))
        .handler("held", Json.class, held)
        .start();
  }

  /// Calls whose messages only the test receives.
  private PlanCalls overheard() {
    var inside = OtherDoors.through(gateway.typed(), EngineHooks.running(handoff));
    return new PlanCalls(new JobCalls(inside));
  }

  private PlanHandle overheardHandle() {
    return new EnginePlanHandle(plan.id(), overheard());
  }

  private Gateway.RoutePlan nextMessage() {
    return (Gateway.RoutePlan) gateway.next();
  }

  private Plan.Watch nextQuestion() {
    return (Plan.Watch) nextMessage().message().command();
  }

  private void turnAway(Plan.Watch question) {
    question.replyTo().tell(new PlanReply.Unavailable(plan.id(), "away", Duration.ZERO));
  }

  private void passOn(Gateway.RoutePlan message) {
    EngineHooks.running(handoff).doors().gateway().tell(message);
  }

  private static boolean isWithdrawn(Plan.Watch question) {
    return ((InternalActorRef) Adapter.toClassic(question.replyTo())).isTerminated();
  }

  @Test
  void needsOneQuestion() {
    var result = overheardHandle().result();
    var message = nextMessage();
    passOn(message);

    held.next().succeed(1);

    assertThat(BoundedWaits.get(result)).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
  }

  @Test
  void isRepeatedIfTheQuestionIsTurnedAway() {
    var result = overheardHandle().result();
    turnAway(nextQuestion());
    turnAway(nextQuestion());
    passOn(nextMessage());

    held.next().succeed(1);

    assertThat(BoundedWaits.get(result)).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
  }

  @Test
  void endsWithItsUser() {
    var result = overheardHandle().result().toCompletableFuture();
    var question = nextQuestion();
    assertThat(isWithdrawn(question)).isFalse();

    result.cancel(false);

    assertThat(isWithdrawn(question)).isTrue();
  }

  @Test
  void endsWithItsUserAlsoIfAllOfThePlanIsWanted() {
    var ended = overheardHandle().ended().toCompletableFuture();
    var question = nextQuestion();

    ended.complete(null);

    assertThat(isWithdrawn(question)).isTrue();
  }

  @Test
  void endsWithItsUserAlsoAfterACancel() {
    var report = overheardHandle().cancel("not needed").ended().toCompletableFuture();
    passOn(nextMessage());
    var question = nextQuestion();

    report.cancel(false);

    assertThat(isWithdrawn(question)).isTrue();
  }

  @Test
  void isNotBegunAgainAfterItsUserHasGone() {
    var result = overheardHandle().result().toCompletableFuture();
    var question = nextQuestion();
    turnAway(question);
    var second = nextQuestion();
    result.cancel(false);

    turnAway(second);
    overheardHandle().startChangeset("mine", "ann");

    assertThat(nextMessage().message().command()).isInstanceOf(Plan.Do.class);
  }

  @Test
  void failsIfThereIsNoSuchPlan() {
    var result = overheardHandle().result();
    nextQuestion().replyTo().tell(new PlanReply.NotFound(plan.id()));

    assertThatThrownBy(() -> BoundedWaits.get(result)).isInstanceOf(PlanNotFoundException.class);
  }

  @Test
  void failsAtTheEndOfTheEngine() {
    var result = plan.result();
    held.next();

    handoff.close();

    assertThatThrownBy(() -> BoundedWaits.get(result)).isInstanceOf(UnavailableException.class);
  }

  @Test
  void isForAsManyAsLike() {
    var results =
        IntStream.range(0, JobWatchers.MOST + 100)
            .mapToObj(i -> plan.result().toCompletableFuture())
            .toList();

    held.next().succeed(1);

    results.forEach(
        result ->
            assertThat(BoundedWaits.get(result)).isEqualTo(new PlanOutcome.Succeeded(plan.id())));
  }

  @Test
  void outlastsAnOutageOfTheStore() {
    var attempt = held.next();
    var result = plan.result();
    store.goAway();
    attempt.succeed(1);
    var late = plan.result();

    store.back();

    assertThat(BoundedWaits.get(result)).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
    assertThat(BoundedWaits.get(late)).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
  }

  @Test
  void isOverAtOnceIfThePlanIsInHistory() {
    held.next().succeed(1);
    BoundedWaits.get(plan.result());
    handoff.close();
    handoff = engine();

    var result = handoff.plans().plan(plan.id()).result();

    assertThat(BoundedWaits.get(result)).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
  }

  /// The plan is not live, so the question goes to history.
  @Test
  void outlastsAnOutageOfHistory() {
    held.next().succeed(1);
    BoundedWaits.get(plan.result());
    handoff.close();
    handoff = engine();
    store.holdLookups();
    var result = handoff.plans().plan(plan.id()).result();

    store.nextFind().fail(new IllegalStateException("away"));
    store.release();

    assertThat(BoundedWaits.get(result)).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
  }

  @Test
  void succeedsAlthoughThereIsNoMemoryForTheAnswerAtFirst() {
    var tries = new AtomicInteger();
    var ended =
        new CompletableFuture<PlanState>() {
          @Override
          public boolean complete(PlanState state) {
            if (tries.getAndIncrement() < 3) {
              throw new OutOfMemoryError("at first");
            }
            return super.complete(state);
          }
        };

    new PlanWatch(plan.id(), new PlanCalls(new JobCalls(EngineHooks.running(handoff))), ended)
        .start();
    held.next().succeed(1);

    assertThat(BoundedWaits.get(ended).id()).isEqualTo(plan.id());
    assertThat(tries).hasValue(4);
  }

  @Test
  void succeedsAlthoughThereIsNoMemoryForTheQuestionAtFirst() {
    var result = overheardHandle().result();
    var question = nextQuestion();

    gateway.breakDown(3);
    turnAway(question);

    passOn(nextMessage());
    held.next().succeed(1);
    assertThat(BoundedWaits.get(result)).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
  }
}
