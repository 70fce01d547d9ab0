package dev.handoff.dispatch;

import dev.handoff.job.PoolId;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/// What a dispatcher knows of one worker pool, and what it has told it.
///
/// A pool sends as many credits as were wanted of it beyond those that are on their way. So what is
/// still to come is what was told less what has arrived since, and there is news only if that is
/// not what is wanted.
final class PoolLink {

  final PoolId id;
  final Set<String> types;
  final int workers;
  final boolean remote;
  final ActorRef<WorkerPool.Command> ref;
  final Lineup lineup;

  /// Credits that the pool has lent and that have no job.
  final SpareCredits spare;

  private boolean leaving;
  private int silence;
  private long seen;
  private int told;
  private int toldSpare;
  private int toldIdle;
  private int arrived;
  private boolean repeating = true;

  PoolLink(FromPool.Register register, Lineup lineup) {
    this.id = register.pool();
    this.types = register.types();
    this.workers = register.workers();
    this.remote = register.remote();
    this.ref = register.ref();
    this.lineup = lineup;
    this.spare = new SpareCredits(register.lends());
  }

  /// A credit has arrived.
  ///
  /// @return whether it is new: their numbers rise
  boolean receive(long credit) {
    boolean isNew = credit > seen;
    if (isNew) {
      seen = credit;
      arrived++;
    }
    return isNew;
  }

  /// The pool is alive, and all credits up to this one are accounted for: those that are still to
  /// arrive come too late.
  void heard(long upTo) {
    silence = 0;
    seen = Math.max(seen, upTo);
  }

  /// Another heartbeat is over.
  void tick() {
    repeating = true;
    silence++;
  }

  /// How many heartbeats are over since the pool was heard.
  int silence() {
    return silence;
  }

  void leave() {
    leaving = true;
  }

  boolean isLeaving() {
    return leaving;
  }

  /// The number of the last credit that has arrived.
  long seen() {
    return seen;
  }

  /// Whether the pool has to be told what is wanted. A long queue always wants everybody: then only
  /// every so often.
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
