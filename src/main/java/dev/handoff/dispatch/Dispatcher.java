package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobReply;
import dev.handoff.job.PartitionNotice;
import dev.handoff.job.PoolId;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Brings the ready jobs of one partition and the idle workers of all pools together. Holds no job: it offers a worker's
/// credit to the job that is next, and the job's own mailbox decides.
///
/// ```
/// credit:  given by a pool ─▶ offered to a job ─▶ taken ─▶ freed
///               └─ nobody wants it: given back    └─ declined: offered to the next, or given back
/// ```
///
/// Nothing is polled and no message is trusted to arrive: what is wanted is a level that each heartbeat repeats, and a
/// pool's heartbeat lists the credits that it has given, so that a lost message is noticed one heartbeat later.
public final class Dispatcher extends AbstractMatchingBehavior<Dispatcher.Command> {

  /// Messages accepted by a dispatcher.
  public sealed interface Command {}

  /// A job of the partition has something to say.
  public record Notice(JobNotice notice) implements Command, NoSerializationVerificationNeeded {}

  /// A pool offers its workers. Idempotent; repeated with each heartbeat until it is answered.
  ///
  /// @param remote whether it is timed by its heartbeats; else it is watched
  public record Register(PoolId pool, Set<String> types, int workers, boolean remote, ActorRef<WorkerPool.Command> ref)
      implements Command, WireMessage {
    public Register {
      types = Set.copyOf(types);
    }
  }

  /// A pool leaves in peace: it takes no new work, its running attempts go on.
  public record Leave(PoolId pool) implements Command, WireMessage {}

  /// An idle worker, for as many jobs as the epoch's dispatcher wanted.
  public record Credited(long epoch, Credit credit) implements Command, WireMessage {}

  /// A pool is alive, and these are the credits it has given to this dispatcher's epoch and not got back.
  public record Beat(PoolId pool, long number, List<Long> credits) implements Command, WireMessage {
    public Beat {
      credits = List.copyOf(credits);
    }
  }

  /// An attempt waits for a child: it does not count against its queue's limit meanwhile.
  public record Parked(JobId job) implements Command, WireMessage {}

  /// An attempt that waited for a child wants to go on.
  public record Unpark(JobId job, PoolId pool) implements Command, WireMessage {}

  /// What holds for queues. Answered with [Queues.Confirmed].
  public record Rules(long version, Map<String, QueueRule> rules) implements Command, WireMessage {
    public Rules {
      rules = Map.copyOf(rules);
    }
  }

  /// So many more jobs of a limited queue may be claimed.
  public record Slots(String queue, int count) implements Command, WireMessage {}

  /// The store is away: claim nothing. Or it is back.
  public record Hold(boolean on) implements Command, NoSerializationVerificationNeeded {}

  /// Claim nothing any more: the engine stops.
  public enum Drain implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  public record GetLoad(ActorRef<Load> replyTo) implements Command, WireMessage {}

  /// What a dispatcher has, for lists and health.
  ///
  /// @param unknownTypes types of ready jobs that no pool can run
  public record Load(int partition, Map<String, QueueLoad> queues, Set<String> unknownTypes) implements WireMessage {
    public Load {
      queues = Map.copyOf(queues);
      unknownTypes = Set.copyOf(unknownTypes);
    }
  }

  public record QueueLoad(long queued, long scheduled, long running) implements WireMessage {}

  private enum Flush implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  private enum Tick implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  private enum Due implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// What a dispatcher works with.
  ///
  /// @param weights how much of the workers a queue gets beside others
  public record Environment(
      int partition,
      DispatchSettings settings,
      InstantSource clock,
      ToIntFunction<String> weights,
      ActorRef<Queues.Command> queues,
      ActorRef<PartitionNotice> jobs) {}

  public static Behavior<Command> create(Environment environment) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Dispatcher.class);
          return Behaviors.withTimers(timers -> new Dispatcher(context, timers, environment));
        });
  }

  /// The same actor, open also to what jobs say: they know only [JobNotice].
  public static Behavior<Object> createForJobs(Environment environment) {
    return Behaviors.transformMessages(
        Object.class,
        create(environment),
        messages -> messages.match(JobNotice.class, Notice::new).match(Command.class, command -> command));
  }

  private static final String TICK = "tick";
  private static final String DUE = "due";
  private static final Duration LONGEST_TIMER = Duration.ofHours(1);

  private final Environment environment;
  private final TimerScheduler<Command> timers;
  private final ReadyJobs ready;
  private final Map<PoolId, PoolLink> pools = new HashMap<>();
  private final Map<JobId, Offer> offered = new HashMap<>();
  private final Map<JobId, Running> running = new HashMap<>();
  private final Map<String, QueueRule> rules = new HashMap<>();
  private final Set<JobId> resuming = new HashSet<>();

  private final long epoch = ThreadLocalRandom.current().nextLong();

  private boolean ruled;
  private boolean storeAway;
  private boolean draining;
  private boolean flushing;
  private long lastTick = System.nanoTime();

  /// A credit that a job has not answered yet.
  private record Offer(Credit credit, String queue) {}

  /// An attempt that a pool has.
  ///
  /// @param missing how many heartbeats of its pool did not list it
  private record Running(int attempt, String queue, Credit credit, ActorRef<Job.Command> ref, boolean parked, int missing) {

    Running withMissing(int count) {
      return new Running(attempt, queue, credit, ref, parked, count);
    }

    Running parked(boolean now) {
      return new Running(attempt, queue, credit, ref, now, missing);
    }
  }

  private Dispatcher(ActorContext<Command> context, TimerScheduler<Command> timers, Environment environment) {
    super(context);
    this.environment = environment;
    this.timers = timers;
    this.ready = new ReadyJobs(environment.weights());
    timers.startTimerWithFixedDelay(TICK, Tick.INSTANCE, environment.settings().heartbeat());
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    switch (message) {
      case Notice(var notice) -> onNotice(notice);
      case Credited credited -> onCredited(credited);
      case Flush flush -> onFlush();
      case Beat beat -> onBeat(beat);
      case Register register -> onRegister(register);
      case Leave(var pool) -> onLeave(pool);
      case Parked(var job) -> onParked(job);
      case Unpark unpark -> onUnpark(unpark);
      case Rules given -> onRules(given);
      case Slots slots -> onSlots(slots);
      case Hold(boolean on) -> onHold(on);
      case Drain drain -> onDrain();
      case GetLoad(var replyTo) -> replyTo.tell(load());
      case Tick tick -> onTick();
      case Due due -> onDue();
    }
    return this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return switch (signal) {
      case Terminated gone -> onTerminated(gone);
      default -> Behaviors.unhandled();
    };
  }

  private void onNotice(JobNotice notice) {
    switch (notice) {
      case JobNotice.Ready job -> onReady(job);
      case JobNotice.Taken taken -> onTaken(taken);
      case JobNotice.Declined(var job, var credit) -> onDeclined(job);
      case JobNotice.Freed(var job, int attempt, var queue) -> onFreed(job);
      case JobNotice.Withdrawn(var job) -> onWithdrawn(job);
      case JobNotice.Underway underway -> onUnderway(underway);
    }
  }

  private void onReady(JobNotice.Ready job) {
    var now = environment.clock().instant();
    ready.lane(job.queue(), ruleOf(job.queue()));
    ready.add(job, now);
    if (job.due().isAfter(now)) {
      startDueTimer(now);
    } else {
      flushSoon();
    }
  }

  /// A credit arrives because this dispatcher wanted it. It is offered to whoever is next by now.
  private void onCredited(Credited credited) {
    var pool = pools.get(credited.credit().pool());
    if (pool == null || credited.epoch() != epoch) {
      return;
    }
    pool.seen++;
    offer(credited.credit(), pool);
    flushSoon();
  }

  private void offer(Credit credit, PoolLink pool) {
    var next = mayClaim() && !pool.leaving ? ready.take(pool.types) : null;
    if (next == null) {
      pool.ref.tell(new WorkerPool.GiveBack(credit.number()));
    } else {
      offered.put(next.job(), new Offer(credit, next.queue()));
      next.ref().tell(new Job.Claim(credit));
    }
  }

  /// The claim is durable. A pool that has gone in the meantime will not run it.
  private void onTaken(JobNotice.Taken taken) {
    offered.remove(taken.job());
    if (!pools.containsKey(taken.credit().pool())) {
      lose(taken.attempt(), taken.ref());
    }
    running.put(
        taken.job(), new Running(taken.attempt(), taken.queue(), taken.credit(), taken.ref(), false, 0));
  }

  /// The job did not take the offer. Not an offer that is open: it was taken back when the job was withdrawn.
  private void onDeclined(JobId job) {
    var offer = offered.remove(job);
    if (offer != null) {
      reuse(offer);
    }
  }

  private void onWithdrawn(JobId job) {
    var offer = offered.remove(job);
    if (offer == null) {
      ready.withdraw(job);
    } else {
      reuse(offer);
    }
  }

  private void reuse(Offer offer) {
    if (isLimited(offer.queue())) {
      ready.lane(offer.queue(), ruleOf(offer.queue())).slots++;
    }
    var pool = pools.get(offer.credit().pool());
    if (pool != null) {
      offer(offer.credit(), pool);
    }
    flushSoon();
  }

  private void onFreed(JobId job) {
    var ended = running.remove(job);
    resuming.remove(job);
    if (ended != null && !ended.parked() && isLimited(ended.queue())) {
      environment.queues().tell(new Queues.SlotsBack(environment.partition(), ended.queue(), 1));
    }
  }

  /// A job whose actor was made anew: if its pool is here its credit is known, else its worker is lost.
  private void onUnderway(JobNotice.Underway underway) {
    var known = running.get(underway.job());
    if (known != null && known.attempt() == underway.attempt()) {
      running.put(
          underway.job(),
          new Running(known.attempt(), known.queue(), known.credit(), underway.ref(), known.parked(), 0));
      underway.ref().tell(new Job.Restore(known.credit()));
    } else {
      lose(underway.attempt(), underway.ref());
    }
  }

  private void lose(int attempt, ActorRef<Job.Command> job) {
    job.tell(new Job.Do(new JobCommand.LoseWorker(attempt), getContext().getSystem().<JobReply>ignoreRef()));
  }

  private void onRegister(Register register) {
    if (!pools.containsKey(register.pool())) {
      pools.put(register.pool(), new PoolLink(register, System.nanoTime()));
      if (!register.remote()) {
        getContext().watch(register.ref());
      }
      flushSoon();
    }
    register.ref().tell(new WorkerPool.Registered(environment.partition(), epoch, getContext().getSelf()));
  }

  private void onLeave(PoolId id) {
    var pool = pools.get(id);
    if (pool != null) {
      pool.leaving = true;
      pool.lastWant = Map.of();
    }
  }

  private Behavior<Command> onTerminated(Terminated gone) {
    pools.values().stream()
        .filter(pool -> pool.ref.equals(gone.getRef()))
        .toList()
        .forEach(this::losePool);
    return this;
  }

  /// Everything that the pool had is lost: its attempts, and what was offered with its credits.
  private void losePool(PoolLink pool) {
    getContext().getLog().info("partition [{}]: worker pool [{}] is gone", environment.partition(), pool.id);
    pools.remove(pool.id);
    running.values().stream()
        .filter(attempt -> attempt.credit().pool().equals(pool.id))
        .toList()
        .forEach(attempt -> lose(attempt.attempt(), attempt.ref()));
  }

  /// A pool lists what it has of this dispatcher. What only it knows is given back; what only the dispatcher knows is
  /// lost if it is missing twice, since the list may have been made before the order arrived.
  private void onBeat(Beat beat) {
    var pool = pools.get(beat.pool());
    if (pool == null) {
      return;
    }
    pool.heardAt = System.nanoTime();
    var listed = new HashSet<>(beat.credits());
    listed.removeAll(known(pool));
    listed.forEach(forgotten -> pool.ref.tell(new WorkerPool.GiveBack(forgotten)));
    var has = Set.copyOf(beat.credits());
    running.replaceAll((job, attempt) -> checked(pool, attempt, has));
    pool.lastSeenTold = -1;
    pool.ref.tell(new WorkerPool.BeatAnswered(environment.partition(), epoch, beat.number()));
    flushSoon();
  }

  private Set<Long> known(PoolLink pool) {
    var known = new HashSet<Long>();
    offered.values().stream()
        .map(Offer::credit)
        .filter(credit -> credit.pool().equals(pool.id))
        .forEach(credit -> known.add(credit.number()));
    running.values().stream()
        .filter(attempt -> attempt.credit().pool().equals(pool.id))
        .forEach(attempt -> known.add(attempt.credit().number()));
    return known;
  }

  private Running checked(PoolLink pool, Running attempt, Set<Long> listed) {
    if (!attempt.credit().pool().equals(pool.id)) {
      return attempt;
    }
    if (listed.contains(attempt.credit().number())) {
      attempt.ref().tell(new Job.RunAgain(attempt.credit().number()));
      return attempt.missing() == 0 ? attempt : attempt.withMissing(0);
    }
    if (attempt.missing() >= 2) {
      lose(attempt.attempt(), attempt.ref());
    }
    return attempt.withMissing(attempt.missing() + 1);
  }

  private void onParked(JobId job) {
    var attempt = running.get(job);
    if (attempt != null && !attempt.parked()) {
      running.put(job, attempt.parked(true));
      if (isLimited(attempt.queue())) {
        environment.queues().tell(new Queues.SlotsBack(environment.partition(), attempt.queue(), 1));
      }
    }
  }

  private void onUnpark(Unpark unpark) {
    var attempt = running.get(unpark.job());
    if (attempt == null || !attempt.parked() || !isLimited(attempt.queue()) || takeSlot(attempt.queue())) {
      goOn(unpark.job(), unpark.pool());
    } else {
      resuming.add(unpark.job());
      askForSlots(ready.lane(attempt.queue(), ruleOf(attempt.queue())));
    }
  }

  private boolean takeSlot(String queue) {
    var lane = ready.lane(queue, ruleOf(queue));
    boolean has = lane.slots > 0;
    lane.slots -= has ? 1 : 0;
    return has;
  }

  private void goOn(JobId job, PoolId id) {
    running.computeIfPresent(job, (same, attempt) -> attempt.parked(false));
    resuming.remove(job);
    var pool = pools.get(id);
    if (pool != null) {
      pool.ref.tell(new WorkerPool.MayGoOn(job));
    }
  }

  private void onRules(Rules given) {
    rules.clear();
    rules.putAll(given.rules());
    ready.lanes().forEach(lane -> apply(lane, ruleOf(lane.queue)));
    rules.forEach((queue, rule) -> apply(ready.lane(queue, rule), rule));
    environment.queues().tell(new Queues.Confirmed(environment.partition(), given.version(), runningByLimitedQueue()));
    ruled = true;
    flushSoon();
  }

  private void apply(Lane lane, QueueRule rule) {
    if (rule.maxRunning() == null) {
      lane.slots = 0;
      lane.asked = 0;
    }
    lane.rule = rule;
  }

  private Map<String, Integer> runningByLimitedQueue() {
    var counts = new HashMap<String, Integer>();
    running.values().stream()
        .filter(attempt -> !attempt.parked() && isLimited(attempt.queue()))
        .forEach(attempt -> counts.merge(attempt.queue(), 1, Integer::sum));
    ready.lanes().stream()
        .filter(lane -> lane.rule.maxRunning() != null && lane.slots > 0)
        .forEach(lane -> counts.merge(lane.queue, lane.slots, Integer::sum));
    offered.values().stream()
        .filter(offer -> isLimited(offer.queue()))
        .forEach(offer -> counts.merge(offer.queue(), 1, Integer::sum));
    return counts;
  }

  private void onSlots(Slots granted) {
    var lane = ready.lane(granted.queue(), ruleOf(granted.queue()));
    if (lane.rule.maxRunning() == null) {
      return;
    }
    lane.slots += granted.count();
    lane.asked = Math.max(0, lane.asked - granted.count());
    for (var job : resumingOf(granted.queue())) {
      if (takeSlot(granted.queue())) {
        goOn(job, running.get(job).credit().pool());
      }
    }
    flushSoon();
  }

  private List<JobId> resumingOf(String queue) {
    return resuming.stream().filter(job -> running.containsKey(job) && running.get(job).queue().equals(queue)).toList();
  }

  private void onHold(boolean on) {
    storeAway = on;
    flushSoon();
  }

  private void onDrain() {
    draining = true;
    flushSoon();
  }

  /// Tells every pool what is wanted now, if that has changed. One flush covers everything that arrived before it.
  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      getContext().getSelf().tell(Flush.INSTANCE);
    }
  }

  private void onFlush() {
    flushing = false;
    ready.lanes().forEach(this::askForSlots);
    pools.values().forEach(this::want);
  }

  private void want(PoolLink pool) {
    if (pool.leaving) {
      return;
    }
    var wanted = wantedFrom(pool);
    if (!wanted.equals(pool.lastWant) || pool.seen - pool.lastSeenTold > pool.workers / 8 || pool.lastSeenTold < 0) {
      pool.lastWant = wanted;
      pool.lastSeenTold = pool.seen;
      pool.ref.tell(new WorkerPool.Want(environment.partition(), epoch, pool.seen, wanted));
    }
  }

  /// More than all workers of a pool is never wanted from it: so the level of a long queue does not change.
  private Map<String, Integer> wantedFrom(PoolLink pool) {
    if (!mayClaim()) {
      return Map.of();
    }
    var wanted = new HashMap<String, Integer>();
    for (var type : pool.types) {
      int count = Math.min(ready.wanted(type), pool.workers);
      if (count > 0) {
        wanted.put(type, count);
      }
    }
    return wanted;
  }

  private boolean mayClaim() {
    return ruled && !storeAway && !draining;
  }

  /// Limited queues ask for as many slots as they could use; those that no pool could use are not asked for.
  private void askForSlots(Lane lane) {
    var limit = lane.rule.maxRunning();
    if (limit == null) {
      return;
    }
    int runnable = lane.types().stream().filter(this::isKnown).mapToInt(lane::sizeOf).sum();
    int useful = Math.min(limit, (mayClaim() && !lane.rule.paused() ? runnable : 0) + resumingOf(lane.queue).size());
    int wanted = Math.max(0, useful - lane.slots);
    if (wanted != lane.asked) {
      lane.asked = wanted;
      environment.queues().tell(new Queues.SlotsWanted(environment.partition(), lane.queue, wanted));
    }
    if (lane.slots > useful) {
      environment.queues().tell(new Queues.SlotsBack(environment.partition(), lane.queue, lane.slots - useful));
      lane.slots = useful;
    }
  }

  private boolean isKnown(String type) {
    return pools.values().stream().anyMatch(pool -> pool.types.contains(type));
  }

  /// Judges remote pools by their silence. A dispatcher that has itself been asleep reads one more round first.
  private void onTick() {
    long now = System.nanoTime();
    var settings = environment.settings();
    boolean awake = now - lastTick < settings.heartbeat().multipliedBy(2).toNanos();
    lastTick = now;
    long silent = settings.lease().plus(settings.margin()).toNanos();
    if (awake) {
      pools.values().stream()
          .filter(pool -> pool.remote && now - pool.heardAt > silent)
          .toList()
          .forEach(this::losePool);
    }
    pools.values().forEach(pool -> pool.lastSeenTold = -1);
    ready.lanes().forEach(lane -> lane.asked = -1);
    flushSoon();
  }

  private void onDue() {
    var now = environment.clock().instant();
    if (ready.release(now)) {
      flushSoon();
    }
    startDueTimer(now);
  }

  private void startDueTimer(Instant now) {
    ready
        .untilNext(now)
        .ifPresent(
            wait -> {
              var bounded = wait.compareTo(LONGEST_TIMER) < 0 ? wait : LONGEST_TIMER;
              timers.startSingleTimer(DUE, Due.INSTANCE, bounded.isNegative() ? Duration.ZERO : bounded.plusMillis(1));
            });
  }

  private QueueRule ruleOf(String queue) {
    return rules.getOrDefault(queue, QueueRule.NONE);
  }

  private boolean isLimited(String queue) {
    return ruleOf(queue).maxRunning() != null;
  }

  private Load load() {
    var queues = new HashMap<String, QueueLoad>();
    var active = running.values().stream().collect(Collectors.groupingBy(Running::queue, Collectors.counting()));
    ready.lanes().forEach(lane -> queues.put(lane.queue, load(lane.queue, lane.size(), active)));
    active.keySet().forEach(queue -> queues.computeIfAbsent(queue, name -> load(name, 0, active)));
    var unknown = ready.types().stream().filter(type -> !isKnown(type)).collect(Collectors.toSet());
    return new Load(environment.partition(), queues, unknown);
  }

  private QueueLoad load(String queue, int size, Map<String, Long> active) {
    return new QueueLoad(size, ready.scheduled().getOrDefault(queue, 0L), active.getOrDefault(queue, 0L));
  }
}
