package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.ready.ReadyJobs;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WorkerCredit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Open offers: each credit is offered to the next ready job, which takes or declines it. A
/// declined credit goes to the next job, is kept at hand, or is given back.
final class OpenOffers {

  private final ReadyJobs ready;
  private final PoolRegistry pools;
  private final QueueLimits limits;
  private final BooleanSupplier mayClaim;
  private final Consumer<JobNotice.Ready> enter;
  private final Map<JobId, WorkOffer> offers = new HashMap<>();

  /// @param mayClaim whether claims are allowed at all
  /// @param enter adds a job that wants a worker
  OpenOffers(
      ReadyJobs ready,
      PoolRegistry pools,
      QueueLimits limits,
      BooleanSupplier mayClaim,
      Consumer<JobNotice.Ready> enter) {
    this.ready = ready;
    this.pools = pools;
    this.limits = limits;
    this.mayClaim = mayClaim;
    this.enter = enter;
  }

  Collection<WorkOffer> all() {
    return offers.values();
  }

  /// Offers an arrived credit to the next ready job. A doubled or late credit is given back unless
  /// in use.
  void credited(WorkerCredit credit, DispatchedAttempts attempts) {
    var pool = pools.get(credit.pool());
    if (pool == null) {
      return;
    }
    if (pool.receive(credit.number())) {
      offer(credit, pool);
    } else if (!has(credit) && !attempts.has(credit) && !pool.spare.has(credit)) {
      pool.ref.tell(new WorkerPool.GiveBack(credit.number()));
    }
  }

  private void offer(WorkerCredit credit, PoolLink pool) {
    var next = mayUse(pool) ? ready.take(pool.order) : null;
    if (next != null) {
      limits.touch(next.queue());
      open(next, credit, limits.slotOf(next.queue()));
    } else if (!mayUse(pool) || !pool.spare.keep(credit)) {
      giveBack(credit);
    }
  }

  private boolean mayUse(PoolLink pool) {
    return mayClaim.getAsBoolean() && !pool.isLeaving();
  }

  private void open(JobNotice.Ready job, WorkerCredit credit, long slotEra) {
    offers.put(job.job(), new WorkOffer(job, credit, slotEra));
    job.ref().tell(new Job.Claim(credit));
  }

  /// Offers a worker at hand to a job about to be ready, unless another job precedes. Jobs of
  /// queues with a rule use the ordinary path, which checks the rule.
  ///
  /// @return whether a worker was offered
  boolean offerAtOnce(JobNotice.Ready job) {
    useSpares();
    var pool = limits.gate(job.queue()) == null ? pools.lenderFor(job.type()) : null;
    if (pool != null) {
      open(job, pool.spare.take(), QueueGate.NONE);
    }
    return pool != null;
  }

  /// Offers workers at hand to ready jobs, or gives them back while claims are not allowed.
  void useSpares() {
    for (var pool : pools.all()) {
      if (!mayUse(pool)) {
        giveBackSpares(pool);
      }
      for (int left = pool.spare.size(); left > 0 && pool.order.wanted(1) > 0; left--) {
        offer(pool.spare.take(), pool);
      }
    }
  }

  void giveBackSpares(PoolLink pool) {
    pool.spare.takeAll().forEach(this::giveBack);
  }

  /// Handles a job that wants a worker. The same actor will still answer an open offer; for a new
  /// actor the offer is void.
  ///
  /// @return whether an offer stays open
  boolean isOpenFor(JobNotice.Ready job) {
    var offer = offers.get(job.job());
    if (offer != null && offer.job.ref().equals(job.ref())) {
      offer.again = job;
      return true;
    }
    withdraw(job.job());
    return false;
  }

  /// Closes an accepted offer.
  ///
  /// @return the offer; null if unknown by now
  @Nullable WorkOffer taken(JobId job, WorkerCredit credit) {
    return answered(job, credit);
  }

  /// Closes an offer that the job declines. A `Ready` that the job sent since takes effect.
  void declined(JobId job, WorkerCredit credit) {
    var offer = answered(job, credit);
    if (offer != null) {
      reuse(offer);
      if (offer.again != null) {
        enter.accept(offer.again);
      }
    }
  }

  /// Closes an offer without an answer, unless another actor of the job received the offer.
  void withdraw(JobNotice.Withdrawn gone) {
    var offer = offers.get(gone.job());
    if (offer != null && offer.job.ref().equals(gone.ref())) {
      withdraw(gone.job());
    }
  }

  private void withdraw(JobId job) {
    var offer = offers.remove(job);
    if (offer != null) {
      reuse(offer);
    }
  }

  /// A doubled or late answer finds no matching offer.
  private @Nullable WorkOffer answered(JobId job, WorkerCredit credit) {
    var offer = offers.get(job);
    return offer != null && offer.credit.equals(credit) ? offers.remove(job) : null;
  }

  /// Offers credit and slot to the next job.
  private void reuse(WorkOffer offer) {
    keepSlot(offer);
    var pool = pools.get(offer.credit.pool());
    if (pool != null) {
      offer(offer.credit, pool);
    }
  }

  private void keepSlot(WorkOffer offer) {
    var queue = offer.job.queue();
    limits.freeUnused(queue, offer.slotEra);
    ready.refresh(queue);
  }

  /// Credit of the attempt that a job's new actor reports, if it is the offered one; null
  /// otherwise.
  @Nullable WorkerCredit takenBy(JobNotice.Underway underway) {
    var offer = offers.get(underway.job());
    boolean taken =
        offer != null
            && offer.credit.pool().equals(underway.by().pool())
            && offer.credit.name().equals(underway.by().worker());
    return taken ? offer.credit : null;
  }

  /// Removes offered credits from a pool's list.
  void compare(PoolId pool, Set<Long> listed) {
    for (var offer : offers.values()) {
      if (offer.credit.pool().equals(pool)) {
        listed.remove(offer.credit.number());
      }
    }
  }

  private boolean has(WorkerCredit credit) {
    return offers.values().stream().anyMatch(offer -> offer.credit.equals(credit));
  }

  /// Repeats offers that were not answered within a heartbeat, to the job's current actor, and
  /// queries whether the job still exists.
  void repeat(JobSender jobs) {
    for (var offer : offers.values()) {
      if (offer.age++ > 0) {
        jobs.offer(offer.job.job(), offer.credit);
        jobs.askForState(offer.job.job());
      }
    }
  }

  /// Handles the state query's reply. An ended job never answers its offer, accepted or not.
  void answered(StateReply reply) {
    switch (reply) {
      case StateReply.Found(var state) when state.ended() -> drop(state.id());
      case StateReply.Found live -> {}
      case StateReply.NotFound(var job) -> drop(job);
      case StateReply.Unavailable later -> {}
    }
  }

  private void drop(JobId job) {
    var offer = offers.remove(job);
    if (offer != null) {
      keepSlot(offer);
      giveBack(offer.credit);
    }
  }

  private void giveBack(WorkerCredit credit) {
    var pool = pools.get(credit.pool());
    if (pool != null) {
      pool.ref.tell(new WorkerPool.GiveBack(credit.number()));
    }
  }

  /// Begins a new slot era of a queue.
  ///
  /// @return number of slots in use
  int beginEra(String queue, long era) {
    int using = 0;
    for (var offer : offers.values()) {
      if (offer.job.queue().equals(queue)) {
        offer.slotEra = era;
        using++;
      }
    }
    return using;
  }
}
