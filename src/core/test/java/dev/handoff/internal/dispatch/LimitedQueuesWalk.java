package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.pool.PlainPool;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.text.Ulid;
import dev.handoff.testing.HandClock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;

/// Random walk over the queues and dispatchers of an engine with two partitions. A seed determines
/// the order of messages. Jobs and pools are simple models, whose running and waiting attempts are
/// compared with the queue rules.
final class LimitedQueuesWalk {

  private static final int PARTITIONS = 2;
  private static final int POOLS = 2;
  private static final int MOST_JOBS = 24;
  private static final int MOST_MESSAGES = 6;
  private static final int BEATS_UNTIL_SETTLED = 9;
  private static final List<String> QUEUES = List.of("one", "two", "free");

  private final Random random;
  private final UnaryOperator<Queues.Command> wire;
  private final HandClock clock = new HandClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ulid ids = new Ulid(new Random(1));
  private final BehaviorTestKit<Queues.Command> queues;
  private final List<BehaviorTestKit<Dispatcher.Command>> dispatchers = new ArrayList<>();
  private final List<Deque<Dispatcher.Command>> mail = new ArrayList<>();
  private final TestInbox<Ledger.Command> ledger = TestInbox.create();
  private final TestInbox<Queues.Reply> changed = TestInbox.create();
  private final TestInbox<Queues.Command> toQueues = TestInbox.create();
  private final TestInbox<PartitionNotice> toJobs = TestInbox.create();

  /// Number of attempts of each queue that may run at once: the highest limit since all messages
  /// were last delivered, or the number that ran then. A dispatcher that does not know a lower
  /// limit yet claims by the former one.
  private final Map<String, Integer> ceilings = new HashMap<>();

  private final List<PlainJob> jobs = new ArrayList<>();
  private final List<PlainPool> pools = new ArrayList<>();
  private final Map<PoolId, PlainPool> poolsById = new HashMap<>();
  private long waited;
  private QueuesState rules = QueuesState.NONE;

  /// @param wire fault of messages from dispatchers to the queues
  LimitedQueuesWalk(long seed, UnaryOperator<Queues.Command> wire) {
    random = new Random(seed);
    this.wire = wire;
    var codec = new FactCodec(List.of(QueueFact.class, QueuesState.class));
    var environment =
        new Queues.Environment(PARTITIONS, codec, clock, DispatcherBench.SETTINGS.heartbeat());
    queues = BehaviorTestKit.create(Queues.create(environment));
    queues.run(new Queues.Restored(rules, ledger.getRef()));
    for (int partition = 0; partition < PARTITIONS; partition++) {
      mail.add(new ArrayDeque<>());
      dispatchers.add(BehaviorTestKit.create(Dispatcher.create(dispatcher(partition))));
      queues.run(new Queues.Hello(partition, dispatchers.get(partition).getRef()));
    }
    while (pools.size() < POOLS) {
      addPool();
    }
    QUEUES.forEach(queue -> ceilings.put(queue, limit(queue)));
    settle(BEATS_UNTIL_SETTLED);
  }

  private Dispatcher.Environment dispatcher(int partition) {
    return new Dispatcher.Environment(
        partition, DispatcherBench.SETTINGS, clock, queue -> 1, toQueues.getRef(), toJobs.getRef());
  }

  /// Executes a random action of a user, handler or failure, and delivers some of the messages.
  void step() {
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> submit();
      case 4, 5 -> any(PlainJob::isQueued).forEach(PlainJob::cancel);
      case 6, 7, 8 -> any(PlainJob::isGoing).forEach(PlainJob::end);
      case 9, 10 -> any(PlainJob::isGoing).forEach(PlainJob::park);
      case 11, 12 -> any(PlainJob::isParked).forEach(PlainJob::wantToGoOn);
      case 13 -> changeARule();
      case 14 -> settle(1);
      default -> loseAPoolNowAndThen();
    }
    for (int i = random.nextInt(MOST_MESSAGES); i > 0; i--) {
      deliverOne();
    }
  }

  private void submit() {
    if (jobs.size() < MOST_JOBS) {
      int partition = random.nextInt(PARTITIONS);
      var id = new JobId(ids.next(clock.instant().toEpochMilli(), partition));
      var queue = QUEUES.get(random.nextInt(QUEUES.size()));
      var job = new PlainJob(id, queue, poolsById, mail.get(partition)::add);
      jobs.add(job);
      job.begin(random.nextBoolean(), clock.instant());
    }
  }

  private List<PlainJob> any(Predicate<PlainJob> which) {
    var some = jobs.stream().filter(which).toList();
    return some.isEmpty() ? some : List.of(some.get(random.nextInt(some.size())));
  }

  private void changeARule() {
    Queues.Setting setting =
        switch (random.nextInt(8)) {
          case 0 -> new Queues.Limited(null);
          case 1 -> new Queues.Paused(true);
          case 2, 3 -> new Queues.Paused(false);
          default -> new Queues.Limited(1 + random.nextInt(3));
        };
    var queue = QUEUES.get(random.nextInt(2));
    queues.getRef().tell(new Queues.Change(queue, setting, changed.getRef()));
  }

  private void loseAPoolNowAndThen() {
    if (random.nextInt(8) == 0) {
      pools.remove(random.nextInt(pools.size())).die();
      addPool();
    }
  }

  private void addPool() {
    var pool = new PlainPool(new PoolId("pool-" + poolsById.size()), mail);
    pools.add(pool);
    poolsById.put(pool.id(), pool);
    pool.register();
  }

  private void beat() {
    mail.forEach(each -> each.add(Dispatcher.Alarm.TICK));
    queues.getRef().tell(Queues.Tick.INSTANCE);
    pools.forEach(PlainPool::beat);
  }

  /// Delivers all messages. With enough heartbeats, a dead pool is detected as lost.
  private void settle(int beats) {
    for (int i = 0; i < beats; i++) {
      while (deliverOne()) {}
      beat();
    }
    while (deliverOne()) {}
  }

  /// Lets a random recipient handle its next message.
  private boolean deliverOne() {
    var able = new ArrayList<Runnable>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int number = partition;
      if (!mail.get(partition).isEmpty()) {
        able.add(() -> dispatch(number));
      }
      if (dispatchers.get(partition).selfInbox().hasMessages()) {
        able.add(() -> dispatchOwn(number));
      }
    }
    if (queues.selfInbox().hasMessages()) {
      able.add(queues::runOne);
    }
    jobs.stream()
        .filter(PlainJob::hasMessages)
        .forEach(job -> able.add(() -> job.handleOne(random, clock.instant())));
    pools.stream()
        .filter(PlainPool::hasMessages)
        .forEach(pool -> able.add(() -> pool.handleOne(this::job)));
    if (able.isEmpty()) {
      return false;
    }
    able.get(random.nextInt(able.size())).run();
    route();
    requireLimits();
    return true;
  }

  private PlainJob job(JobId id) {
    return jobs.stream().filter(job -> job.id.equals(id)).findFirst().orElse(null);
  }

  private void dispatch(int partition) {
    var message = mail.get(partition).poll();
    dispatchers.get(partition).run(message);
    if (message instanceof PoolMessage.Unpark wish && job(wish.job()) != null) {
      job(wish.job()).isHeard(wish.round());
    }
    followUp(partition);
    waited +=
        message instanceof PoolMessage.Unpark && jobs.stream().anyMatch(PlainJob::waits) ? 1 : 0;
  }

  /// Handles a message of a dispatcher to itself, or from the queues.
  private void dispatchOwn(int partition) {
    dispatchers.get(partition).runOne();
    followUp(partition);
  }

  private void followUp(int partition) {
    dispatchers.get(partition).getAllEffects();
    pools.forEach(PlainPool::receive);
    pools.forEach(pool -> pool.allowed().forEach(credit -> allowed(pool, credit)));
    requireThatWhoWaitsComesFirst(partition);
  }

  private void allowed(PlainPool pool, WorkerPool.MayGoOn may) {
    jobs.stream().filter(job -> job.runsOn(pool, may)).forEach(PlainJob::isAllowed);
  }

  /// Asserts that no job is offered a slot while an attempt of its queue waits for a slot.
  private void requireThatWhoWaitsComesFirst(int partition) {
    for (var job : jobs) {
      if (job.id.partition() == partition && job.receive()) {
        var waiting =
            jobs.stream()
                .filter(other -> other.id.partition() == partition)
                .filter(other -> other.queue.equals(job.queue) && other.waits())
                .toList();
        assertThat(waiting).as("wait while %s has been offered a slot", job).isEmpty();
      }
    }
  }

  private void route() {
    while (toQueues.hasMessages()) {
      queues.getRef().tell(wire.apply(toQueues.receiveMessage()));
    }
    while (ledger.hasMessages()) {
      commit((Ledger.Append) ledger.receiveMessage());
    }
    while (toJobs.hasMessages()) {
      // Offers are never lost here, so no reminder is needed.
      if (!(toJobs.receiveMessage() instanceof PartitionNotice.Forward(var message))
          || message.command() instanceof Job.Claim) {
        continue;
      }
      var job = job(message.job());
      if (job == null) {
        PlainJob.notFound(message);
      } else {
        job.handle(message.command(), random, clock.instant());
      }
    }
    jobs.removeIf(job -> job.isOver() && !job.hasMessages());
  }

  private void commit(Ledger.Append append) {
    rules = rules.apply((QueueFact) append.facts().getFirst().event());
    append.sender().tell(new Ledger.Committed(rules, List.of()));
    QUEUES.forEach(queue -> ceilings.merge(queue, limit(queue), Math::max));
  }

  private int limit(String queue) {
    var limit = rules.rule(queue).maxRunning();
    return limit == null ? Integer.MAX_VALUE : limit;
  }

  private int count(String queue, Predicate<PlainJob> which) {
    return (int) jobs.stream().filter(job -> job.queue.equals(queue)).filter(which).count();
  }

  private void requireLimits() {
    for (var queue : QUEUES) {
      assertThat(count(queue, PlainJob::isUsing))
          .as("at once of %s", queue)
          .isLessThanOrEqualTo(ceilings.get(queue));
    }
  }

  /// Number of requests to continue while another attempt was waiting.
  long waited() {
    return waited;
  }

  /// Asserts that, once all messages are delivered, every usable slot is in use.
  void requireThatNothingIsLost() {
    settle(BEATS_UNTIL_SETTLED);
    for (var queue : QUEUES) {
      int using = count(queue, PlainJob::isUsing);
      ceilings.put(queue, Math.max(using, limit(queue)));
      boolean paused = rules.rule(queue).paused();
      int queued = paused ? 0 : count(queue, PlainJob::isQueued);
      int wanting = count(queue, PlainJob::waits) + queued;
      // A job with a slot can still wait for a worker.
      boolean isHeld = queued > 0 && pools.stream().noneMatch(PlainPool::hasRoom);
      if (wanting > 0 && !isHeld) {
        assertThat(using)
            .as("at once of %s, %s: %s", queue, rules, jobs)
            .isGreaterThanOrEqualTo(limit(queue));
      }
    }
    changed.getAllReceived();
    pools.forEach(PlainPool::requireThatNoneIsLost);
  }
}
