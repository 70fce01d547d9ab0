package dev.handoff.internal.dispatch;

import dev.handoff.internal.dispatch.ready.FairOrder;
import dev.handoff.internal.job.PoolId;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/// Worker pool as seen by a dispatcher, with the last demand sent to it.
///
/// A pool covers a demand with new credits plus credits in flight. So credits in flight equal the
/// sent demand minus later arrivals, and a new demand is sent only if it differs from that number.
final class PoolLink {

  final PoolId id;
  final Set<String> types;
  final int workers;
  final boolean remote;
  final ActorRef<WorkerPool.Command> ref;
  final FairOrder order;

  /// Lent credits without a job.
  final SpareCredits spare;

  private boolean leaving;
  private int silence;
  private long seen;
  private int told;
  private int toldSpare;
  private int toldIdle;
  private int arrived;
  private boolean repeating = true;

  PoolLink(PoolMessage.Register register, FairOrder order) {
    this.id = register.pool();
    this.types = register.types();
    this.workers = register.workers();
    this.remote = register.remote();
    this.ref = register.ref();
    this.order = order;
    this.spare = new SpareCredits(register.lends());
  }

  /// Receives a credit.
  ///
  /// @return whether the credit is new: credit numbers rise
  boolean receive(long credit) {
    boolean isNew = credit > seen;
    if (isNew) {
      seen = credit;
      arrived++;
    }
    return isNew;
  }

  /// Records a heartbeat: the pool is alive, and all credits up to `upTo` are accounted for. Any of
  /// them that arrives later is outdated.
  void heard(long upTo) {
    silence = 0;
    seen = Math.max(seen, upTo);
  }

  /// Counts a heartbeat interval.
  void tick() {
    repeating = true;
    silence++;
  }

  /// Number of heartbeat intervals since the pool's last heartbeat.
  int silence() {
    return silence;
  }

  void leave() {
    leaving = true;
  }

  boolean isLeaving() {
    return leaving;
  }

  /// Number of the last credit that arrived.
  long seen() {
    return seen;
  }

  /// Whether to send the demand. A long queue always wants every worker, so its demand is sent in
  /// larger steps.
  boolean isNews(int wanted, int wantedSpare) {
    int coming = Math.max(0, told - arrived);
    boolean more = wanted > coming && (coming == 0 || wanted - coming > workers / 8);
    boolean other = wantedSpare != toldSpare || spare.size() != toldIdle;
    return repeating || more || wanted < coming || other;
  }

  void told(int wanted, int wantedSpare) {
    told = wanted;
    toldSpare = wantedSpare;
    toldIdle = spare.size();
    arrived = 0;
    repeating = false;
  }
}
