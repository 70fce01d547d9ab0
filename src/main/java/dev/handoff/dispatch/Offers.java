package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobReply;
import dev.handoff.job.PoolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Brings credits and ready jobs together: each credit is offered to the job whose turn it is, and
/// the job takes it or not. What it does not take is offered to the next, or given back.
final class Offers {

  private final ReadyJobs ready;
  private final Pools pools;
  private final Limits limits;
  private final BooleanSupplier mayClaim;
  private final Consumer<JobNotice.Ready> enter;
  private final Map<JobId, Offer> offers = new HashMap<>();

  /// @param mayClaim whether jobs may be claimed at all
  /// @param enter takes a job that wants a worker
  Offers(
      ReadyJobs ready,
      Pools pools,
      Limits limits,
      BooleanSupplier mayClaim,
      Consumer<JobNotice.Ready> enter) {
    this.ready = ready;
    this.pools = pools;
    this.limits = limits;
    this.mayClaim = mayClaim;
    this.enter = enter;
  }

  Collection<Offer> all() {
    return offers.values();
  }

  /// A credit arrives because it was wanted: it is offered to whoever is next by now. One that
  /// comes twice, or late, is given back unless it is in use.
  void credited(Credit credit, Attempts attempts) {
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

  private void offer(Credit credit, PoolLink pool) {
    var next = mayUse(pool) ? ready.take(pool.lineup) : null;
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

  private void open(JobNotice.Ready job, Credit credit, long slot) {
    offers.put(job.job(), new Offer(job, credit, slot));
    job.ref().tell(new Job.Claim(credit));
  }

  /// Offers a worker that is at hand to a job that is about to be ready, unless another one is
  /// ready before it. Queues with a rule take the usual way, on which it is looked after.
  ///
  /// @return whether there was one
  boolean offerAtOnce(JobNotice.Ready job) {
    useSpares();
    var pool = limits.gate(job.queue()) == null ? pools.lenderFor(job.type()) : null;
    if (pool != null) {
      open(job, pool.spare.take(), Gate.NONE);
    }
    return pool != null;
  }

  /// Workers at hand are for whoever is ready. Where nothing may be claimed they are given back.
  void useSpares() {
    for (var pool : pools.all()) {
      if (!mayUse(pool)) {
        giveBackSpares(pool);
      }
      for (int left = pool.spare.size(); left > 0 && pool.lineup.wanted(1) > 0; left--) {
        offer(pool.spare.take(), pool);
      }
    }
  }

  void giveBackSpares(PoolLink pool) {
    pool.spare.takeAll().forEach(this::giveBack);
  }

  /// A job says that it wants a worker. An offer that it has not answered stays open while its
  /// actor is the same, which will answer; else it is off.
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

  /// The job has taken the credit.
  ///
  /// @return the offer; null if it is not known any more
  @Nullable Offer taken(JobId job, Credit credit) {
    return answered(job, credit);
  }

  /// The job does not take the credit. What it has said since still holds.
  void declined(JobId job, Credit credit) {
    var offer = answered(job, credit);
    if (offer != null) {
      reuse(offer);
      if (offer.again != null) {
        enter.accept(offer.again);
      }
    }
  }

  /// The job will not answer, unless it is another actor by now that was asked.
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

  /// An answer that comes twice, or late, is about an offer that is not there any more.
  private @Nullable Offer answered(JobId job, Credit credit) {
    var offer = offers.get(job);
    return offer != null && offer.credit.equals(credit) ? offers.remove(job) : null;
  }

  /// The credit and the slot are for the next one.
  private void reuse(Offer offer) {
    keepSlot(offer);
    var pool = pools.get(offer.credit.pool());
    if (pool != null) {
      offer(offer.credit, pool);
    }
  }

  private void keepSlot(Offer offer) {
    var queue = offer.job.queue();
    limits.keep(queue, offer.slot);
    ready.refresh(queue);
  }

  /// The credit with which a job's attempt was begun, if that is the one that it was offered.
  @Nullable Credit takenBy(JobNotice.Underway underway) {
    var offer = offers.get(underway.job());
    boolean taken =
        offer != null
            && offer.credit.pool().equals(underway.by().pool())
            && offer.credit.name().equals(underway.by().worker());
    return taken ? offer.credit : null;
  }

  /// Takes out of a pool's list what is known here.
  void compare(PoolId pool, Set<Long> listed) {
    for (var offer : offers.values()) {
      if (offer.credit.pool().equals(pool)) {
        listed.remove(offer.credit.number());
      }
    }
  }

  private boolean has(Credit credit) {
    return offers.values().stream().anyMatch(offer -> offer.credit.equals(credit));
  }

  /// Asks those again that have not answered for the time of a heartbeat, by whatever actor they
  /// have now, and whether they are still there at all.
  void repeat(ToJobs jobs) {
    for (var offer : offers.values()) {
      if (offer.age++ > 0) {
        jobs.offer(offer.job.job(), offer.credit);
        jobs.askForState(offer.job.job());
      }
    }
  }

  /// A job that was asked whether it is still there has answered. One that has ended does not
  /// answer an offer any more, whether it took it or not.
  void answered(JobReply reply) {
    switch (reply) {
      case JobReply.Done(var state) when state.ended() -> drop(state.id());
      case JobReply.NotFound(var job) -> drop(job);
      case JobReply other -> {}
    }
  }

  private void drop(JobId job) {
    var offer = offers.remove(job);
    if (offer != null) {
      keepSlot(offer);
      giveBack(offer.credit);
    }
  }

  private void giveBack(Credit credit) {
    var pool = pools.get(credit.pool());
    if (pool != null) {
      pool.ref.tell(new WorkerPool.GiveBack(credit.number()));
    }
  }

  /// A new count of a queue's slots begins.
  ///
  /// @return how many are in use
  int beginEra(String queue, long era) {
    int using = 0;
    for (var offer : offers.values()) {
      if (offer.job.queue().equals(queue)) {
        offer.slot = era;
        using++;
      }
    }
    return using;
  }
}
