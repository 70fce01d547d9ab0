package dev.handoff.dispatch;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.Credit;
import dev.handoff.job.JobId;
import dev.handoff.job.PoolId;
import dev.handoff.job.WorkerOrder;
import dev.handoff.ledger.WireMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// The workers of one node. Gives the credits of idle ones to the dispatchers that want them, in turn, and takes them
/// back. Never more than the set number of attempts run at once: one that waits for a child does not count, and waits
/// for room when it goes on.
///
/// ```
/// a worker:  idle ─▶ given (its credit is with a dispatcher) ─▶ busy ─▶ idle
///                        └─ given back ─▶ idle       └─ parked ─▶ wants to go on ─▶ busy
/// ```
public final class WorkerPool extends AbstractMatchingBehavior<WorkerPool.Command> {

  /// Messages accepted by a pool.
  public sealed interface Command {}

  /// A dispatcher knows this pool. A new epoch means that it has forgotten everything.
  public record Registered(int partition, long epoch, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, WireMessage {}

  /// How many workers a dispatcher wants for each type: a level, the latest counts.
  ///
  /// @param seen how many credits have arrived there
  public record Want(int partition, long epoch, long seen, Map<String, Integer> types) implements Command, WireMessage {
    public Want {
      types = Map.copyOf(types);
    }
  }

  /// A credit that the dispatcher has no use for, or has forgotten.
  public record GiveBack(long credit) implements Command, WireMessage {}

  public record BeatAnswered(int partition, long epoch, long number) implements Command, WireMessage {}

  /// The attempt of this job, which waited for a child, may run again as far as its queue is concerned.
  public record MayGoOn(JobId job) implements Command, WireMessage {}

  /// Take no new work; end when all attempts have ended, after the grace at the latest with a cancel.
  public record Shutdown(ActorRef<Stopped> replyTo) implements Command, NoSerializationVerificationNeeded {}

  /// No attempt runs any more, but for the abandoned ones.
  public record Stopped(int abandoned) implements NoSerializationVerificationNeeded {}

  /// Where a dispatcher is; the pool registers with it.
  public record Meet(int partition, ActorRef<Dispatcher.Command> dispatcher)
      implements Command, NoSerializationVerificationNeeded {}

  public record GetLoad(ActorRef<Load> replyTo) implements Command, WireMessage {}

  public record Load(PoolId pool, int workers, int busy, int parked, int abandoned) implements WireMessage {}

  record Hired(String name, ActorRef<Worker.Command> worker, ActorRef<WorkerOrder> orders)
      implements Command, NoSerializationVerificationNeeded {}

  record Idle(String name) implements Command, NoSerializationVerificationNeeded {}

  record Parked(String name, JobId job) implements Command, NoSerializationVerificationNeeded {}

  record WantsToGoOn(String name, JobId job) implements Command, NoSerializationVerificationNeeded {}

  record Abandoned(String name) implements Command, NoSerializationVerificationNeeded {}

  record AbandonedEnded(String name) implements Command, NoSerializationVerificationNeeded {}

  private enum Tick implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  private enum GraceOver implements Command, NoSerializationVerificationNeeded {
    INSTANCE
  }

  /// @param remote whether dispatchers time this pool by its heartbeats instead of watching it
  public static Behavior<Command> create(PoolId id, boolean remote, Worker.Environment environment) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(WorkerPool.class);
          return Behaviors.withTimers(timers -> new WorkerPool(context, timers, id, remote, environment));
        });
  }

  private static final String TICK = "tick";
  private static final String GRACE = "grace";

  private final TimerScheduler<Command> timers;
  private final PoolId id;
  private final boolean remote;
  private final Worker.Environment environment;
  private final Map<String, Member> members = new HashMap<>();
  private final Deque<Member> idle = new ArrayDeque<>();
  private final Map<Long, Member> given = new HashMap<>();
  private final TreeMap<Integer, DispatcherLink> links = new TreeMap<>();
  private final Deque<Member> returning = new ArrayDeque<>();
  private final Set<String> abandoned = new HashSet<>();

  private long credits;
  private long beats;
  private int hired;
  private int parked;
  private int lastServed = -1;
  private @Nullable ActorRef<Stopped> stopping;

  private WorkerPool(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      PoolId id,
      boolean remote,
      Worker.Environment environment) {
    super(context);
    this.timers = timers;
    this.id = id;
    this.remote = remote;
    this.environment = environment;
    for (int i = 0; i < environment.settings().workers(); i++) {
      hire();
    }
    timers.startTimerWithFixedDelay(TICK, Tick.INSTANCE, environment.settings().heartbeat());
  }

  /// A worker and what it is doing.
  private static final class Member {
    final String name;
    final ActorRef<Worker.Command> worker;
    final ActorRef<WorkerOrder> orders;
    long credit;
    int partition = -1;
    @Nullable JobId parked;

    Member(Hired hired) {
      this.name = hired.name();
      this.worker = hired.worker();
      this.orders = hired.orders();
    }
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    switch (message) {
      case Idle(var name) -> onIdle(members.get(name));
      case Want want -> onWant(want);
      case GiveBack(long credit) -> onGiveBack(credit);
      case Hired hired -> onHired(hired);
      case Registered registered -> onRegistered(registered);
      case BeatAnswered answered -> onBeatAnswered(answered);
      case Parked(var name, var job) -> onParked(members.get(name), job);
      case WantsToGoOn(var name, var job) -> onWantsToGoOn(members.get(name), job);
      case MayGoOn(var job) -> onMayGoOn(job);
      case Abandoned(var name) -> onAbandoned(name);
      case AbandonedEnded(var name) -> abandoned.remove(name);
      case Meet(int partition, var dispatcher) -> register(dispatcher);
      case GetLoad(var replyTo) -> replyTo.tell(new Load(id, workers(), busy(), parked, abandoned.size()));
      case Shutdown(var replyTo) -> onShutdown(replyTo);
      case GraceOver over -> onGraceOver();
      case Tick tick -> onTick();
    }
    return stopping != null && given.size() <= abandoned.size() ? stopped() : this;
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return Behaviors.unhandled();
  }

  private void hire() {
    var name = "worker-" + ++hired;
    getContext().spawn(Worker.create(name, environment, getContext().getSelf()), name);
  }

  private void onHired(Hired hired) {
    var member = new Member(hired);
    members.put(member.name, member);
    onIdle(member);
  }

  /// A worker is free. It goes to an attempt that waits to go on, or to whoever wants it; and goes for good if it was
  /// only hired while somebody waited.
  private void onIdle(Member member) {
    release(member);
    abandoned.remove(member.name);
    if (members.size() - parked > workers()) {
      dismiss(member);
    } else {
      idle.add(member);
    }
    letGoOn();
    share();
  }

  private void release(Member member) {
    if (member.credit != 0) {
      given.remove(member.credit);
      member.credit = 0;
    }
    if (member.parked != null) {
      member.parked = null;
      parked--;
      returning.remove(member);
    }
  }

  private void dismiss(Member member) {
    members.remove(member.name);
    getContext().stop(member.worker);
  }

  private void onRegistered(Registered registered) {
    var link = links.get(registered.partition());
    if (link == null || link.epoch != registered.epoch()) {
      links.put(
          registered.partition(), new DispatcherLink(registered.epoch(), registered.dispatcher(), System.nanoTime()));
    }
  }

  private void onWant(Want want) {
    var link = links.get(want.partition());
    if (link != null && link.epoch == want.epoch()) {
      link.wanted = want.types().values().stream().mapToInt(Integer::intValue).sum();
      link.seen = Math.max(link.seen, want.seen());
      share();
    }
  }

  /// Gives idle workers away, one partition after the other, as long as one of them wants more than is on its way to it.
  private void share() {
    while (stopping == null && !idle.isEmpty()) {
      var next = nextWanting();
      if (next == null) {
        return;
      }
      lastServed = next.getKey();
      give(next.getKey(), next.getValue(), idle.poll());
    }
  }

  private Map.@Nullable Entry<Integer, DispatcherLink> nextWanting() {
    for (var entry : links.tailMap(lastServed, false).entrySet()) {
      if (entry.getValue().open() > 0) {
        return entry;
      }
    }
    for (var entry : links.headMap(lastServed, true).entrySet()) {
      if (entry.getValue().open() > 0) {
        return entry;
      }
    }
    return null;
  }

  private void give(int partition, DispatcherLink link, Member member) {
    member.credit = ++credits;
    member.partition = partition;
    given.put(member.credit, member);
    link.sent++;
    member.worker.tell(new Worker.Offer(member.credit));
    link.dispatcher.tell(
        new Dispatcher.Credited(link.epoch, new Credit(id, member.credit, member.name, member.orders)));
  }

  /// The worker itself closes the credit: an order for it may already be in its mailbox.
  private void onGiveBack(long credit) {
    var member = given.get(credit);
    if (member != null) {
      member.worker.tell(new Worker.Close(credit));
    }
  }

  private void onParked(Member member, JobId job) {
    if (member.parked == null) {
      member.parked = job;
      parked++;
      dispatcherOf(member, new Dispatcher.Parked(job));
      if (members.size() - parked < workers()) {
        hire();
      }
    }
  }

  private void onWantsToGoOn(Member member, JobId job) {
    if (member.parked == null) {
      member.worker.tell(Worker.GoOn.INSTANCE);
    } else {
      dispatcherOf(member, new Dispatcher.Unpark(job, id));
    }
  }

  private void onMayGoOn(JobId job) {
    members.values().stream()
        .filter(member -> job.equals(member.parked) && !returning.contains(member))
        .findFirst()
        .ifPresent(returning::add);
    letGoOn();
  }

  /// Attempts that waited come before new ones. Each takes the place of an idle worker.
  private void letGoOn() {
    while (!returning.isEmpty() && !idle.isEmpty()) {
      var member = returning.poll();
      member.parked = null;
      parked--;
      dismiss(idle.pollLast());
      member.worker.tell(Worker.GoOn.INSTANCE);
    }
  }

  private void dispatcherOf(Member member, Dispatcher.Command message) {
    var link = links.get(member.partition);
    if (link != null) {
      link.dispatcher.tell(message);
    }
  }

  private void onAbandoned(String name) {
    abandoned.add(name);
  }

  private void onTick() {
    beats++;
    long now = System.nanoTime();
    links.forEach((partition, link) -> beat(partition, link, now));
    members.values().forEach(member -> member.worker.tell(Worker.Repeat.INSTANCE));
    returning.forEach(member -> dispatcherOf(member, new Dispatcher.Parked(member.parked)));
  }

  private void beat(int partition, DispatcherLink link, long now) {
    var listed = given.values().stream().filter(member -> member.partition == partition).map(member -> member.credit).toList();
    if (stopping == null) {
      register(link.dispatcher);
    }
    link.sentAt.put(beats, now);
    link.dispatcher.tell(new Dispatcher.Beat(id, beats, listed));
    if (remote && now - link.answeredSentAt > environment.settings().lease().toNanos()) {
      loseLease(partition);
    }
  }

  private void register(ActorRef<Dispatcher.Command> dispatcher) {
    dispatcher.tell(
        new Dispatcher.Register(id, environment.code().keySet(), workers(), remote, getContext().getSelf()));
  }

  /// The lease counts from when the last beat that was answered had been sent: by then the dispatcher had heard of it.
  private void onBeatAnswered(BeatAnswered answered) {
    var link = links.get(answered.partition());
    if (link != null && link.epoch == answered.epoch()) {
      var sent = link.sentAt.get(answered.number());
      if (sent != null) {
        link.answeredSentAt = sent;
        link.sentAt.headMap(answered.number(), true).clear();
      }
    }
  }

  private void loseLease(int partition) {
    var why = new Cancellation(Cancellation.Cause.LEASE_LOST, "the partition has not answered for the time of a lease", "handoff");
    given.values().stream()
        .filter(member -> member.partition == partition)
        .forEach(member -> member.worker.tell(new Worker.StopNow(why)));
  }

  private void onShutdown(ActorRef<Stopped> replyTo) {
    stopping = replyTo;
    links.values().forEach(link -> link.dispatcher.tell(new Dispatcher.Leave(id)));
    given.forEach((credit, member) -> member.worker.tell(new Worker.Close(credit)));
    timers.startSingleTimer(GRACE, GraceOver.INSTANCE, environment.settings().shutdownGrace());
  }

  private void onGraceOver() {
    var why = new Cancellation(Cancellation.Cause.SHUTDOWN, "shutdown", "handoff");
    given.values().forEach(member -> member.worker.tell(new Worker.StopNow(why)));
  }

  private Behavior<Command> stopped() {
    stopping.tell(new Stopped(abandoned.size()));
    return Behaviors.stopped();
  }

  private int workers() {
    return environment.settings().workers();
  }

  private int busy() {
    return given.size() - parked;
  }

  /// A dispatcher, as the pool sees it.
  private static final class DispatcherLink {
    final long epoch;
    final ActorRef<Dispatcher.Command> dispatcher;
    final TreeMap<Long, Long> sentAt = new TreeMap<>();
    long answeredSentAt;
    int wanted;
    long seen;
    long sent;

    DispatcherLink(long epoch, ActorRef<Dispatcher.Command> dispatcher, long now) {
      this.epoch = epoch;
      this.dispatcher = dispatcher;
      this.answeredSentAt = now;
    }

    /// How many more it wants than are on their way to it.
    long open() {
      return wanted - (sent - seen);
    }
  }
}
