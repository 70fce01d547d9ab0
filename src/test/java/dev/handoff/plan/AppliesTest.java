package dev.handoff.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.testing.Actors;
import dev.handoff.testing.Soon;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Whoever writes the changes of plans")
class AppliesTest {

  @RegisterExtension static final Actors actors = Actors.inManualTime();

  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final PlanState PLAN = PlanSamples.state(PlanSamples.draft(PlanSamples.step("a")));
  private static final PlanState OTHER =
      PlanState.create(
          new PlanId(PlanSamples.newId()),
          new PlanFact.Submitted(PLAN.spec(), PlanSamples.NOW, false));
  private static final ApplyOutcome UNDONE = new ApplyOutcome.Undone("/srv/site", "no room", true);

  private final LinkedBlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private ActorRef<Applies.Command> applies;
  private TestProbe<Applies.News> first;
  private TestProbe<Applies.News> second;

  /// Whether all work fails, and does so at once.
  private volatile boolean failing;

  /// A piece of work that waits for its outcome.
  private record Call(String what, int number, CompletableFuture<ApplyOutcome> outcome) {}

  private final class Work implements Applies.Work {
    @Override
    public ApplyOutcome check(PlanState plan, String target) {
      throw new IllegalStateException("the store is away");
    }

    @Override
    public ApplyOutcome write(PlanState plan, Applying apply, CancellationToken stop) {
      return call("write", apply);
    }

    @Override
    public ApplyOutcome recover(PlanState plan, Applying apply) {
      return call("recover", apply);
    }

    private ApplyOutcome call(String what, Applying apply) {
      var call = new Call(what, apply.number(), new CompletableFuture<>());
      calls.add(call);
      if (failing) {
        throw new IllegalStateException("the disk is away");
      }
      return call.outcome().join();
    }
  }

  @BeforeEach
  void start() {
    applies = actors.spawn(Applies.create(new Work(), this::execute));
    first = actors.probe(Applies.News.class);
    second = actors.probe(Applies.News.class);
  }

  private void execute(Runnable task) {
    if (failing) {
      task.run();
    } else {
      Thread.ofVirtual().start(task);
    }
  }

  private static Applying apply(int number) {
    return new Applying(number, "/srv/site", 1, "h".repeat(64), PlanSamples.NOW);
  }

  private Call expect(String what, int number) {
    var call = Soon.take(calls);
    assertThat(call.what()).isEqualTo(what);
    assertThat(call.number()).isEqualTo(number);
    return call;
  }

  /// What has failed by now is noticed before this is answered.
  private void check() {
    var check = actors.probe(PlanReply.class);
    applies.tell(new Applies.Check(PLAN, "/srv/site", check.ref()));
    check.receiveMessage();
  }

  @Test
  void tellsEverybodyWhoAsksMeanwhile() {
    applies.tell(new Applies.Write(PLAN, apply(1), first.ref()));
    var call = expect("write", 1);
    applies.tell(new Applies.Recover(PLAN, apply(1), second.ref()));

    call.outcome().complete(UNDONE);

    first.expectMessage(new Applies.Ended(1, UNDONE));
    second.expectMessage(new Applies.Ended(1, UNDONE));
    assertThat(calls).isEmpty();
  }

  @Test
  void recoversWhatHasFailedUntilItHasEnded() {
    failing = true;
    applies.tell(new Applies.Write(PLAN, apply(1), first.ref()));
    check();
    expect("write", 1);
    actors.pass(PAUSE);
    check();
    expect("recover", 1);
    first.expectMessage(new Applies.Stuck(1, "the disk is away"));
    failing = false;
    actors.pass(PAUSE);

    expect("recover", 1).outcome().complete(UNDONE);

    first.expectMessage(new Applies.Ended(1, UNDONE));
  }

  @Test
  void writesOneAfterTheOtherToADirectory() {
    applies.tell(new Applies.Write(PLAN, apply(1), first.ref()));
    applies.tell(new Applies.Write(OTHER, apply(2), second.ref()));
    var call = expect("write", 1);
    check();
    assertThat(calls).isEmpty();

    call.outcome().complete(UNDONE);

    expect("write", 2).outcome().complete(UNDONE);
    first.expectMessage(new Applies.Ended(1, UNDONE));
    second.expectMessage(new Applies.Ended(2, UNDONE));
  }

  @Test
  void letsOthersHaveTheirTurnWhileOneIsStuck() {
    failing = true;
    applies.tell(new Applies.Write(PLAN, apply(1), first.ref()));
    check();
    expect("write", 1);
    failing = false;

    applies.tell(new Applies.Write(OTHER, apply(2), second.ref()));
    var next = expect("write", 2);
    actors.pass(PAUSE);
    check();
    assertThat(calls).isEmpty();
    next.outcome().complete(UNDONE);

    expect("recover", 1).outcome().complete(UNDONE);
    second.expectMessage(new Applies.Ended(2, UNDONE));
    first.expectMessage(new Applies.Ended(1, UNDONE));
  }

  /// An actor of the plan that is made anew asks for what is under way, also in between two tries.
  /// Were it tried for that one alone, the other try would still come: when the next apply runs.
  @Test
  void neverRecoversTwiceAtATime() {
    failing = true;
    applies.tell(new Applies.Write(PLAN, apply(1), first.ref()));
    check();
    expect("write", 1);
    applies.tell(new Applies.Recover(PLAN, apply(1), second.ref()));
    check();
    assertThat(calls).isEmpty();
    first.expectNoMessage(Duration.ofMillis(10));
    failing = false;
    actors.pass(PAUSE);
    expect("recover", 1).outcome().complete(UNDONE);
    first.expectMessage(new Applies.Ended(1, UNDONE));
    second.expectMessage(new Applies.Ended(1, UNDONE));

    applies.tell(new Applies.Write(PLAN, apply(2), second.ref()));
    var next = expect("write", 2);
    actors.pass(PAUSE.multipliedBy(2));
    next.outcome().complete(UNDONE);

    second.expectMessage(new Applies.Ended(2, UNDONE));
    assertThat(calls).isEmpty();
  }

  @Test
  void saysWhyItCannotBeChecked() {
    var asking = actors.probe(PlanReply.class);

    applies.tell(new Applies.Check(PLAN, "/srv/site", asking.ref()));

    asking.expectMessage(new PlanReply.Refused(PLAN.id(), "the store is away"));
  }
}
