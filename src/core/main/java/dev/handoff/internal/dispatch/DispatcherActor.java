package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.ready.ReadyJobs;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WorkerCredit;
import java.util.HashSet;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.event.Level;

/// Offers each credit to the next job. The job's own mailbox decides whether the job takes the
/// credit.
///
/// ```
/// credit:  given by a pool ─▶ offered to a job ─▶ taken ─▶ freed
///               └─ no job wants it: kept at hand, or given back
///                                  └─ declined: offered to the next, kept at hand, or given back
/// ```
///
/// Parts: ready jobs in order ([ReadyJobs]), queue rules ([QueueLimits]), pools ([PoolRegistry]),
/// open offers ([OpenOffers]) and running attempts ([DispatchedAttempts]).
final class DispatcherActor extends AbstractMatchingBehavior<Dispatcher.Command> {

  private final Dispatcher.Environment environment;
  private final DueTimer dueTimer;
  private final QueueLimits limits;
  private final ReadyJobs ready;
  private final PoolRegistry pools;
  private final JobSender jobs;
  private final OpenOffers offers;
  private final DispatchedAttempts attempts;

  /// Distinguishes messages to this incarnation from older messages.
  private final long epoch = ThreadLocalRandom.current().nextLong();

  private boolean storeAway;
  private boolean draining;
  private boolean flushing;
  private boolean asked;
  private int atHand;

  DispatcherActor(
      ActorContext<Dispatcher.Command> context,
      TimerScheduler<Dispatcher.Command> timers,
      Dispatcher.Environment environment) {
    super(context);
    this.environment = environment;
    dueTimer = new DueTimer(timers);
    limits =
        new QueueLimits(
            environment.partition(),
            context.getSelf(),
            environment.queues(),
            this::flushSoon,
            this::goOn);
    ready = new ReadyJobs(environment.weights(), limits::gate);
    pools = new PoolRegistry(ready);
    offers = new OpenOffers(ready, pools, limits, this::mayClaim, this::enter);
    var losses = context.messageAdapter(ReportReply.class, Dispatcher.LossAnswered::new);
    var states = context.messageAdapter(StateReply.class, Dispatcher.StateAnswered::new);
    jobs = new JobSender(environment.jobs(), losses, states);
    attempts = new DispatchedAttempts(pools, limits, jobs, this::enter);
    timers.startTimerWithFixedDelay(
        Dispatcher.Alarm.TICK, Dispatcher.Alarm.TICK, environment.settings().heartbeat());
  }

  @Override
  public Behavior<Dispatcher.Command> onMessage(Dispatcher.Command message) {
    switch (message) {
      case Dispatcher.Notice(var notice) -> onNotice(notice);
      case PoolMessage from -> onPool(from);
      case Dispatcher.Alarm why -> onAlarm(why);
      case Dispatcher.Rules given -> onRules(given);
      case Dispatcher.Slots granted -> onSlots(granted);
      case Dispatcher.LossAnswered(var reply) -> onLossAnswered(reply);
      case Dispatcher.StateAnswered(var reply) -> onStateAnswered(reply);
      case Dispatcher.Hold(boolean on) -> onHold(on);
      case Dispatcher.Drain now -> onDrain();
      case Dispatcher.GetLoad(var replyTo) -> replyTo.tell(load());
    }
    return this;
  }

  @Override
  public Behavior<Dispatcher.Command> onSignal(Signal signal) {
    return switch (signal) {
      case Terminated gone -> onTerminated(gone);
      default -> Behaviors.unhandled();
    };
  }

  private void onNotice(JobNotice notice) {
    switch (notice) {
      case JobNotice.Ready job -> onReady(job);
      case JobNotice.AboutToBeReady(var job) -> onAboutToBeReady(job);
      case JobNotice.Taken taken -> onTaken(taken);
      case JobNotice.Declined(var job, var credit) -> onDeclined(job, credit);
      case JobNotice.Freed(var job, int attempt, var queue) -> attempts.free(job, attempt);
      case JobNotice.Withdrawn gone -> onWithdrawn(gone);
      case JobNotice.Underway underway -> onUnderway(underway);
    }
  }

  private void onPool(PoolMessage message) {
    switch (message) {
      case PoolMessage.Credited(long ofEpoch, var credit) -> onCredited(ofEpoch, credit);
      case PoolMessage.Beat beat -> onBeat(beat);
      case PoolMessage.Recall(var pool) -> onRecall(pool);
      case PoolMessage.Register register -> onRegister(register);
      case PoolMessage.Leave(var pool) -> onLeave(pool);
      case PoolMessage.Parked parked -> attempts.park(parked);
      case PoolMessage.Unpark wish -> attempts.unpark(wish);
    }
  }

  private void onAlarm(Dispatcher.Alarm why) {
    switch (why) {
      case FLUSH -> onFlush();
      case TICK -> onTick();
      case DUE -> releaseDue();
    }
  }

  private void onReady(JobNotice.Ready job) {
    if (!offers.isOpenFor(job)) {
      enter(job);
    }
  }

  private void onAboutToBeReady(JobNotice.Ready job) {
    if (!offers.offerAtOnce(job)) {
      job.ref().tell(Job.NoWorker.INSTANCE);
    }
    asked = true;
    flushSoon();
  }

  private void onRecall(PoolId from) {
    var pool = pools.get(from);
    if (pool != null) {
      offers.giveBackSpares(pool);
      flushSoon();
    }
  }

  private void enter(JobNotice.Ready job) {
    var now = environment.clock().instant();
    ready.add(job, now);
    if (job.due().isAfter(now)) {
      dueTimer.wakeAt(job.due(), now);
    } else {
      limits.touch(job.queue());
      flushSoon();
    }
  }

  /// Ignores a credit of an earlier incarnation: it is given back when its pool lists it.
  private void onCredited(long ofEpoch, WorkerCredit credit) {
    if (ofEpoch == epoch) {
      offers.credited(credit, attempts);
      flushSoon();
    }
  }

  private void onTaken(JobNotice.Taken taken) {
    attempts.begin(DispatchedAttempt.taken(taken, offers.taken(taken.job(), taken.credit())));
    if (limits.isConfirming()) {
      flushSoon();
    }
  }

  private void onDeclined(JobId job, WorkerCredit credit) {
    offers.declined(job, credit);
    flushSoon();
  }

  private void onWithdrawn(JobNotice.Withdrawn gone) {
    offers.withdraw(gone);
    flushSoon();
    if (ready.remove(gone)) {
      limits.touchAll();
    }
  }

  /// The claim may be durable although the job's actor failed before sending `Taken`.
  private void onUnderway(JobNotice.Underway underway) {
    var credit = offers.takenBy(underway);
    if (credit != null) {
      onTaken(
          new JobNotice.Taken(
              underway.job(), underway.attempt(), underway.queue(), credit, underway.ref()));
    }
    attempts.restore(underway);
  }

  private void onLossAnswered(ReportReply reply) {
    attempts.answered(reply);
    flushSoon();
  }

  private void onStateAnswered(StateReply reply) {
    attempts.answered(reply);
    offers.answered(reply);
    flushSoon();
  }

  private void onRegister(PoolMessage.Register register) {
    if (pools.register(register)) {
      if (!register.remote()) {
        getContext().watch(register.ref());
      }
      limits.touchAll();
    }
    register
        .ref()
        .tell(new WorkerPool.Registered(environment.partition(), epoch, getContext().getSelf()));
  }

  private void onLeave(PoolId pool) {
    pools.leave(pool);
    limits.touchAll();
  }

  private Behavior<Dispatcher.Command> onTerminated(Terminated gone) {
    var pool = pools.of(gone.getRef());
    if (pool != null) {
      losePool(pool);
    }
    return this;
  }

  private void losePool(PoolLink pool) {
    getContext()
        .getLog()
        .atLevel(draining ? Level.DEBUG : Level.INFO)
        .log("partition [{}]: worker pool [{}] is gone", environment.partition(), pool.id);
    pools.remove(pool);
    attempts.loseAllOf(pool.id);
    limits.touchAll();
  }

  /// Compares a pool's list with the known credits, and returns unknown ones to the pool.
  private void onBeat(PoolMessage.Beat beat) {
    var pool = pools.get(beat.pool());
    if (pool == null) {
      return;
    }
    pool.heard(beat.upTo());
    var listed = new HashSet<>(beat.credits());
    offers.compare(pool.id, listed);
    pool.spare.compare(listed, beat.upTo());
    attempts.compare(pool.id, listed, beat.upTo());
    listed.forEach(unknown -> pool.ref.tell(new WorkerPool.GiveBack(unknown)));
    pool.ref.tell(new WorkerPool.BeatAnswered(environment.partition(), epoch, beat.sentAt()));
  }

  private void onRules(Dispatcher.Rules given) {
    limits.apply(given, this::beginEra).forEach(gate -> ready.refresh(gate.queue));
  }

  private int beginEra(String queue, long era) {
    return offers.beginEra(queue, era) + attempts.beginEra(queue, era);
  }

  private void onSlots(Dispatcher.Slots granted) {
    limits.grant(granted);
    ready.refresh(granted.queue());
  }

  private void goOn(DispatchedAttempt attempt) {
    attempts.goOn(attempt);
  }

  private void onHold(boolean on) {
    storeAway = on;
    limits.touchAll();
  }

  private void onDrain() {
    draining = true;
    limits.touchAll();
  }

  private boolean mayClaim() {
    return limits.areKnown() && !storeAway && !draining;
  }

  /// Schedules one flush of changed demand to all peers. A flush covers all earlier messages.
  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      getContext().getSelf().tell(Dispatcher.Alarm.FLUSH);
    }
  }

  private void onFlush() {
    flushing = false;
    boolean may = mayClaim();
    offers.useSpares();
    limits.tell(
        queue -> may ? ready.ready(queue, pools.types()) : 0,
        offers.all().stream().map(offer -> offer.job.queue()));
    pools.tell(environment.partition(), epoch, may);
    tellWhoIsAtHand();
  }

  private void tellWhoIsAtHand() {
    int count = pools.spares();
    if (count != atHand || asked) {
      atHand = count;
      asked = false;
      environment.jobs().tell(new PartitionNotice.WorkersAtHand(count));
    }
  }

  /// Repeats all levels, detects silent pools, and releases due jobs in case the clock was set.
  private void onTick() {
    pools.tick(environment.settings().patience()).forEach(this::losePool);
    offers.repeat(jobs);
    attempts.repeat();
    limits.repeat();
    ready.prune();
    releaseDue();
  }

  private void releaseDue() {
    var now = environment.clock().instant();
    if (ready.release(now)) {
      limits.touchAll();
    }
    dueTimer.reset(ready.nextDue(), now);
  }

  private Dispatcher.Load load() {
    return new LoadReport(ready, offers.all(), attempts.all())
        .load(environment.partition(), pools.types());
  }
}
