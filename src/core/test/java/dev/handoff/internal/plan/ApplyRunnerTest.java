package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
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
class ApplyRunnerTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final PlanState PLAN = PlanSamples.state(PlanSamples.draft(PlanSamples.step("a")));
  private static final PlanState OTHER =
      PlanState.create(
          new PlanId(PlanSamples.newId()),
          new PlanFact.Submitted(PLAN.spec(), PlanSamples.NOW, false));
  private static final ApplyOutcome UNDONE = new ApplyOutcome.Undone("/srv/site", "no room", true);

  private final LinkedBlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private ActorRef<ApplyRunner.Command> applies;
  private TestProbe<ApplyRunner.News> first;
  private TestProbe<ApplyRunner.News> second;

  /// Makes all work fail at once.
  private volatile boolean failing;

  /// Work that waits for its outcome.
  private record Call(String what, int number, CompletableFuture<ApplyOutcome> outcome) {}

  private final class Work implements ApplyRunner.Work {
    @Override
    public ApplyOutcome check(PlanState plan, String target) {
      throw new IllegalStateException("the store is away");
    }

    @Override
    public ApplyOutcome write(PlanState plan, StartedApply apply, CancellationToken stop) {
      return call("write", apply);
    }

    @Override
    public ApplyOutcome recover(PlanState plan, StartedApply apply) {
      return call("recover", apply);
    }

    private ApplyOutcome call(String what, StartedApply apply) {
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
    applies = actors.spawn(ApplyRunner.create(new Work(), this::execute));
    first = actors.probe(ApplyRunner.News.class);
    second = actors.probe(ApplyRunner.News.class);
  }

  private void execute(Runnable task) {
    if (failing) {
      task.run();
    } else {
      Thread.ofVirtual().start(task);
    }
  }

  private static StartedApply apply(int number) {
    return new StartedApply(number, "/srv/site", 1, "h".repeat(64), PlanSamples.NOW);
  }

  private Call expect(String what, int number) {
    var call = BoundedWaits.take(calls);
    assertThat(call.what()).isEqualTo(what);
    assertThat(call.number()).isEqualTo(number);
    return call;
  }

  /// Sends a check as a barrier: earlier failures have been handled when it is answered.
  private void check() {
    var check = actors.probe(PlanReply.class);
    applies.tell(new ApplyRunner.Check(PLAN, "/srv/site", check.ref()));
    check.receiveMessage();
  }

  @Test
  void tellsEverybodyWhoAsksMeanwhile() {
    applies.tell(new ApplyRunner.Write(PLAN, apply(1), first.ref()));
    var call = expect("write", 1);
    applies.tell(new ApplyRunner.Recover(PLAN, apply(1), second.ref()));

    call.outcome().complete(UNDONE);

    first.expectMessage(new ApplyRunner.Ended(1, UNDONE));
    second.expectMessage(new ApplyRunner.Ended(1, UNDONE));
    assertThat(calls).isEmpty();
  }

  @Test
  void recoversWhatHasFailedUntilItHasEnded() {
    failing = true;
    applies.tell(new ApplyRunner.Write(PLAN, apply(1), first.ref()));
    check();
    expect("write", 1);
    actors.pass(PAUSE);
    check();
    expect("recover", 1);
    first.expectMessage(new ApplyRunner.Stuck(1, "the disk is away"));
    failing = false;
    actors.pass(PAUSE);

    expect("recover", 1).outcome().complete(UNDONE);

    first.expectMessage(new ApplyRunner.Ended(1, UNDONE));
  }

  @Test
  void writesOneAfterTheOtherToADirectory() {
    applies.tell(new ApplyRunner.Write(PLAN, apply(1), first.ref()));
    applies.tell(new ApplyRunner.Write(OTHER, apply(2), second.ref()));
    var call = expect("write", 1);
    check();
    assertThat(calls).isEmpty();

    call.outcome().complete(UNDONE);

    expect("write", 2).outcome().complete(UNDONE);
    first.expectMessage(new ApplyRunner.Ended(1, UNDONE));
    second.expectMessage(new ApplyRunner.Ended(2, UNDONE));
  }

  @Test
  void letsOthersHaveTheirTurnWhileOneIsStuck() {
    failing = true;
    applies.tell(new ApplyRunner.Write(PLAN, apply(1), first.ref()));
    check();
    expect("write", 1);
    failing = false;

    applies.tell(new ApplyRunner.Write(OTHER, apply(2), second.ref()));
    var next = expect("write", 2);
    actors.pass(PAUSE);
    check();
    assertThat(calls).isEmpty();
    next.outcome().complete(UNDONE);

    expect("recover", 1).outcome().complete(UNDONE);
    second.expectMessage(new ApplyRunner.Ended(2, UNDONE));
    first.expectMessage(new ApplyRunner.Ended(1, UNDONE));
  }

  /// A restarted actor of the plan asks for the running apply, even between two tries. If that
  /// request started a try of its own, the scheduled try would still run, during the next apply.
  @Test
  void neverRecoversTwiceAtATime() {
    failing = true;
    applies.tell(new ApplyRunner.Write(PLAN, apply(1), first.ref()));
    check();
    expect("write", 1);
    applies.tell(new ApplyRunner.Recover(PLAN, apply(1), second.ref()));
    check();
    assertThat(calls).isEmpty();
    first.expectNoMessage(Duration.ofMillis(10));
    failing = false;
    actors.pass(PAUSE);
    expect("recover", 1).outcome().complete(UNDONE);
    first.expectMessage(new ApplyRunner.Ended(1, UNDONE));
    second.expectMessage(new ApplyRunner.Ended(1, UNDONE));

    applies.tell(new ApplyRunner.Write(PLAN, apply(2), second.ref()));
    var next = expect("write", 2);
    actors.pass(PAUSE.multipliedBy(2));
    next.outcome().complete(UNDONE);

    second.expectMessage(new ApplyRunner.Ended(2, UNDONE));
    assertThat(calls).isEmpty();
  }

  @Test
  void saysWhyItCannotBeChecked() {
    var asking = actors.probe(PlanReply.class);

    applies.tell(new ApplyRunner.Check(PLAN, "/srv/site", asking.ref()));

    asking.expectMessage(new PlanReply.Refused(PLAN.id(), "the store is away"));
  }
}
