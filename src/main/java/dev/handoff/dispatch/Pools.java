package dev.handoff.dispatch;

import dev.handoff.job.PoolId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// The worker pools of a dispatcher: what they can run, whether they are there, and what is wanted
/// of them.
final class Pools {

  private final ReadyJobs ready;
  private final Map<PoolId, PoolLink> pools = new HashMap<>();
  private Set<String> types = Set.of();

  Pools(ReadyJobs ready) {
    this.ready = ready;
  }

  @Nullable PoolLink get(PoolId id) {
    return pools.get(id);
  }

  /// The pool whose actor this is; null if there is none.
  @Nullable PoolLink of(ActorRef<?> ref) {
    return pools.values().stream().filter(pool -> pool.ref.equals(ref)).findFirst().orElse(null);
  }

  Collection<PoolLink> all() {
    return pools.values();
  }

  /// What can be run by a pool that stays.
  Set<String> types() {
    return types;
  }

  /// @return whether the pool is new
  boolean register(FromPool.Register register) {
    boolean isNew = !pools.containsKey(register.pool());
    if (isNew) {
      pools.put(register.pool(), new PoolLink(register, ready.lineup(register.types())));
      changed();
    }
    return isNew;
  }

  /// A pool takes no new work. It does not come back: its next start has another id.
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

  /// Another heartbeat is over.
  ///
  /// @param patience after how many of them a remote pool that is silent is lost
  /// @return the pools that are lost
  List<PoolLink> tick(int patience) {
    pools.values().forEach(PoolLink::tick);
    return pools.values().stream()
        .filter(pool -> pool.remote && pool.silence() > patience)
        .toList();
  }

  /// Tells each pool what is wanted of it, if that is news. More than all of its workers are never
  /// wanted: so the level of a long queue does not change.
  ///
  /// @param mayClaim whether jobs may be claimed at all
  void tell(int partition, long epoch, boolean mayClaim) {
    for (var pool : pools.values()) {
      boolean may = mayClaim && !pool.isLeaving();
      int wanted = may ? pool.lineup.wanted(pool.workers) : 0;
      int spare = may && wanted == 0 ? pool.spare.room() : 0;
      if (pool.isNews(wanted, spare)) {
        pool.told(wanted, spare);
        pool.ref.tell(
            new WorkerPool.Want(partition, epoch, pool.seen(), wanted, spare, pool.spare.size()));
      }
    }
  }

  /// A pool that can run the type and has lent a worker for which there is no job; null = none.
  @Nullable PoolLink lenderFor(String type) {
    for (var pool : pools.values()) {
      if (pool.spare.size() > 0 && pool.types.contains(type)) {
        return pool;
      }
    }
    return null;
  }

  /// How many workers they have lent for which there is no job.
  int spares() {
    int count = 0;
    for (var pool : pools.values()) {
      count += pool.spare.size();
    }
    return count;
  }
}
