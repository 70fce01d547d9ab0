package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.worker.ProgressSeen;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.Progress;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.WireChecks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A message between partition and pool")
class DispatchWireTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private static final PoolId POOL = new PoolId("pool");
  private static final JobId JOB = new JobId("01K9Z3N0W6000000000000000A");

  private final ActorRef<WorkerPool.Command> pool = probe(WorkerPool.Command.class);
  private final ActorRef<Dispatcher.Command> dispatcher = probe(Dispatcher.Command.class);

  private static <T> ActorRef<T> probe(Class<T> of) {
    return actors.probe(of).ref();
  }

  private List<WireMessage> messages() {
    var credit = new WorkerCredit(POOL, 7, "worker-1", probe(WorkerOrder.class));
    var rules = Map.of("q", new QueueRule(true, 3), "r", new QueueRule(false, null));
    var queue = new Dispatcher.QueueLoad(3, 2, 1);
    return List.of(
        new PoolMessage.Register(POOL, Set.of("a", "b"), 4, 2, true, pool),
        new PoolMessage.Leave(POOL),
        new PoolMessage.Credited(11, credit),
        new PoolMessage.Beat(POOL, 12, 9, List.of(7L, 8L)),
        new PoolMessage.Parked(POOL, 7, JOB, 2),
        new PoolMessage.Unpark(POOL, 7, JOB, 2),
        new WorkerPool.Registered(1, 11, dispatcher),
        new WorkerPool.Want(1, 11, 7, 5, 2, 1),
        new PoolMessage.Recall(POOL),
        new WorkerPool.GiveBack(7),
        new WorkerPool.BeatAnswered(1, 11, 12),
        new WorkerPool.MayGoOn(7, 2),
        new WorkerPool.GetLoad(probe(WorkerPool.Load.class)),
        new WorkerPool.Load(POOL, 4, 3, 1, 1, 2),
        new Dispatcher.Rules(5, rules, Map.of("q", 17L)),
        new Dispatcher.Slots("q", 17, 4),
        new Dispatcher.GetLoad(probe(Dispatcher.Load.class)),
        new Dispatcher.Load(1, Map.of("q", queue), Set.of("c")),
        queue,
        new Queues.Change("q", new Queues.Paused(true), probe(Queues.Reply.class)),
        new Queues.Change("q", new Queues.Limited(3), probe(Queues.Reply.class)),
        new Queues.Change("q", new Queues.Limited(null), probe(Queues.Reply.class)),
        new Queues.Done("q", new QueueRule(true, 3)),
        new Queues.NotDone("q", "the store is away"),
        new Queues.GetRules(probe(Queues.Current.class)),
        new Queues.Current(rules),
        new Queues.Hello(1, dispatcher),
        new Queues.Confirmed(1, dispatcher, 5),
        new Queues.SlotsHeld(1, "q", 17, 4, 3, 2),
        new ProgressSeen(JOB, 2, "t", "q", new Progress(0.5, "half")));
  }

  @Test
  void arrivesAsItWasSent() {
    WireChecks.assertArrive(actors, messages());
  }

  @Test
  void isWrittenByJackson() {
    WireChecks.assertWrittenByJackson(actors, messages());
  }

  @Test
  void isTriedInEveryKind() {
    var tried = messages().stream().<Class<?>>map(Object::getClass).toList();

    assertThat(tried)
        .containsAll(
            WireChecks.kinds(
                Dispatcher.Command.class,
                WorkerPool.Command.class,
                Queues.Command.class,
                Queues.Reply.class));
  }
}
