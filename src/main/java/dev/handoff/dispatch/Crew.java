package dev.handoff.dispatch;

import dev.handoff.job.JobId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// The workers of a pool, and which of them have a place. Never more have one than there are
/// places: an attempt that waits for a child has none, nor has one that has ended and whose report
/// is being written. So neither costs the others anything; there are as many more workers as are
/// needed for that, and each is hired when it is first needed.
final class Crew {

  private final int places;
  private final Supplier<Member> hire;
  private final Map<String, Member> members = new HashMap<>();
  private final Deque<Member> idle = new ArrayDeque<>();
  private final Map<Long, Member> given = new HashMap<>();
  private final Deque<Member> returning = new ArrayDeque<>();
  private int waiting;
  private int reporting;
  private int abandoned;
  private int heldUp;

  /// @param places how many attempts may run at once
  /// @param hire makes a new worker
  Crew(int places, Supplier<Member> hire) {
    this.places = places;
    this.hire = hire;
  }

  @Nullable Member get(String name) {
    return members.get(name);
  }

  /// The worker whose credit this is; null if it has come back.
  @Nullable Member of(long credit) {
    return given.get(credit);
  }

  /// The worker whose actor this is; null if it is none.
  @Nullable Member of(ActorRef<?> actor) {
    return members.values().stream()
        .filter(member -> member.worker.equals(actor))
        .findFirst()
        .orElse(null);
  }

  /// The workers whose credits are with dispatchers, or whose attempts run or wait.
  Collection<Member> given() {
    return given.values();
  }

  /// Whether there is a place for one more.
  boolean hasRoom() {
    return busy() < places;
  }

  /// Takes an idle worker to give its credit away. Not while there is no place.
  Member give(long credit, int partition) {
    var member = idle.isEmpty() ? hired() : idle.poll();
    member.doing = Member.Doing.WORKING;
    member.credit = credit;
    member.partition = partition;
    member.round = 0;
    given.put(credit, member);
    return member;
  }

  private Member hired() {
    var member = hire.get();
    members.put(member.name, member);
    return member;
  }

  /// A worker has nothing to do any more.
  ///
  /// @return itself, if there are enough without it: it is forgotten; null otherwise
  @Nullable Member release(Member member) {
    leave(member);
    member.doing = Member.Doing.IDLE;
    if (idle.size() >= places) {
      members.remove(member.name);
      return member;
    }
    // The one that was used last, whose memory is nearest, is used next.
    idle.addFirst(member);
    return null;
  }

  /// A worker is gone, and whatever it did.
  void lose(Member member) {
    leave(member);
    members.remove(member.name);
    idle.remove(member);
  }

  private void leave(Member member) {
    given.remove(member.credit);
    member.credit = 0;
    abandoned -= member.doing == Member.Doing.ABANDONED ? 1 : 0;
    stopWaiting(member);
    begin(member);
  }

  /// The thread of an attempt waits for a processor.
  void holdUp(Member member) {
    heldUp += member.heldUp ? 0 : 1;
    member.heldUp = true;
  }

  /// The thread has a processor now, or the attempt is over.
  void begin(Member member) {
    heldUp -= member.heldUp ? 1 : 0;
    member.heldUp = false;
  }

  private void stopWaiting(Member member) {
    waiting -= member.doing.isWaiting() ? 1 : 0;
    reporting -= member.doing == Member.Doing.REPORTING ? 1 : 0;
    if (member.doing == Member.Doing.RETURNING) {
      returning.remove(member);
    }
  }

  /// An attempt has ended, and its report is being written: its place is for somebody else. But not
  /// without bounds: a store that is away does not have more and more reports wait for it.
  void report(Member member) {
    begin(member);
    if (member.doing == Member.Doing.WORKING && reporting < places) {
      member.doing = Member.Doing.REPORTING;
      reporting++;
    }
  }

  /// An attempt waits for a child: its place is for somebody else.
  void park(Member member, JobId job, int round) {
    member.doing = Member.Doing.PARKED;
    member.job = job;
    member.round = round;
    waiting++;
  }

  /// An attempt may go on, as soon as there is room.
  void mayReturn(Member member) {
    member.doing = Member.Doing.RETURNING;
    returning.add(member);
  }

  /// The next attempt that goes on; null if there is none, or no room.
  @Nullable Member nextReturn() {
    if (returning.isEmpty() || !hasRoom()) {
      return null;
    }
    var back = returning.poll();
    back.doing = Member.Doing.WORKING;
    waiting--;
    return back;
  }

  /// Whether an attempt could go on if there were room.
  boolean isAwaited() {
    return !returning.isEmpty();
  }

  /// An attempt has been given up: a place is taken until its code ends.
  void abandon(Member member) {
    stopWaiting(member);
    abandoned++;
    member.doing = Member.Doing.ABANDONED;
  }

  int waiting() {
    return waiting;
  }

  int heldUp() {
    return heldUp;
  }

  int abandoned() {
    return abandoned;
  }

  /// How many workers have a place.
  int busy() {
    return given.size() - waiting - reporting;
  }

  /// Whether nothing is left but attempts that were given up.
  boolean isDone() {
    return given.size() == abandoned;
  }
}
