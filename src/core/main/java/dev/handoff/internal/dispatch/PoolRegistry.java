package dev.handoff.internal.dispatch;

import dev.handoff.internal.dispatch.ready.ReadyJobs;
import dev.handoff.internal.job.PoolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Worker pools of a dispatcher: types, presence and demand.
final class PoolRegistry {

  private final ReadyJobs ready;
  private final Map<PoolId, PoolLink> pools = new HashMap<>();
  private Set<String> types = Set.of();

  PoolRegistry(ReadyJobs ready) {
    this.ready = ready;
  }

  @Nullable PoolLink get(PoolId id) {
    return pools.get(id);
  }

  /// Pool of an actor; null if unknown.
  @Nullable PoolLink of(ActorRef<?> ref) {
    return pools.values().stream().filter(pool -> pool.ref.equals(ref)).findFirst().orElse(null);
  }

  Collection<PoolLink> all() {
    return pools.values();
  }

  /// Types that some pool can run, without leaving pools.
  Set<String> types() {
    return types;
  }

  /// @return whether the pool is new
  boolean register(PoolMessage.Register register) {
    boolean isNew = !pools.containsKey(register.pool());
    if (isNew) {
      pools.put(register.pool(), new PoolLink(register, ready.order(register.types())));
      changed();
    }
    return isNew;
  }

  /// Marks a leaving pool, which takes no new work. It never returns: its next start has another
  /// id.
  void leave(PoolId id) {
    var pool = pools.get(id);
    if (pool != null) {
      pool.leave();
      changed();
    }
  }

  void remove(PoolLink pool) {
    pools.remove(pool.id);
    changed();
  }

  private void changed() {
    var known = new HashSet<String>();
    pools.values().stream()
        .filter(pool -> !pool.isLeaving())
        .forEach(pool -> known.addAll(pool.types));
    types = Set.copyOf(known);
    ready.serve(kinds());
  }

  private Collection<Set<String>> kinds() {
    return pools.values().stream().map(pool -> pool.types).toList();
  }

  /// Counts a heartbeat interval.
  ///
  /// @param patience number of silent intervals after which a remote pool is lost
  /// @return lost pools
  List<PoolLink> tick(int patience) {
    pools.values().forEach(PoolLink::tick);
    return pools.values().stream()
        .filter(pool -> pool.remote && pool.silence() > patience)
        .toList();
  }

  /// Sends each pool its changed demand. The demand never exceeds the pool's workers, so that a
  /// long queue's level stays constant.
  ///
  /// @param mayClaim whether claims are allowed at all
  void tell(int partition, long epoch, boolean mayClaim) {
    for (var pool : pools.values()) {
      boolean may = mayClaim && !pool.isLeaving();
      int wanted = may ? pool.order.wanted(pool.workers) : 0;
      int spare = may && wanted == 0 ? pool.spare.room() : 0;
      if (pool.isNews(wanted, spare)) {
        pool.told(wanted, spare);
        pool.ref.tell(
            new WorkerPool.Want(partition, epoch, pool.seen(), wanted, spare, pool.spare.size()));
      }
    }
  }

  /// Pool that runs this type and has lent a worker without a job; null = none.
  @Nullable PoolLink lenderFor(String type) {
    for (var pool : pools.values()) {
      if (pool.spare.size() > 0 && pool.types.contains(type)) {
        return pool;
      }
    }
    return null;
  }

  /// Number of lent workers without a job.
  int spares() {
    int count = 0;
    for (var pool : pools.values()) {
      count += pool.spare.size();
    }
    return count;
  }
}
