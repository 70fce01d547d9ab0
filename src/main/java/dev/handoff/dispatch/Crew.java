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

/// The workers of a pool, and which of them has a place. There are always as many workers with a
/// place as the pool has places: when an attempt begins to wait for a child another worker is
/// hired, and when it goes on an idle one is dismissed. So attempts that wait cost the others
/// nothing, and there are as many more workers as there are such attempts.
final class Crew {

  private final int places;
  private final Supplier<Member> hire;
  private final Map<String, Member> members = new HashMap<>();
  private final Deque<Member> idle = new ArrayDeque<>();
  private final Map<Long, Member> given = new HashMap<>();
  private final Deque<Member> returning = new ArrayDeque<>();
  private int waiting;
  private int abandoned;

  /// @param places how many attempts may run at once
  /// @param hire makes a new worker
  Crew(int places, Supplier<Member> hire) {
    this.places = places;
    this.hire = hire;
    fill();
  }

  private void fill() {
    while (members.size() - waiting < places) {
      var member = hire.get();
      members.put(member.name, member);
      idle.add(member);
    }
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

  boolean hasIdle() {
    return !idle.isEmpty();
  }

  /// Takes an idle worker to give its credit away. Not while there is none.
  Member give(long credit, int partition) {
    var member = idle.poll();
    member.doing = Member.Doing.WORKING;
    member.credit = credit;
    member.partition = partition;
    member.round = 0;
    given.put(credit, member);
    return member;
  }

  /// A worker has nothing to do any more.
  ///
  /// @return one that is not needed any more, and is forgotten; null if all are
  @Nullable Member release(Member member) {
    leave(member);
    member.doing = Member.Doing.IDLE;
    if (members.size() - waiting > places) {
      members.remove(member.name);
      return member;
    }
    idle.add(member);
    return null;
  }

  /// A worker is gone, and whatever it did.
  void lose(Member member) {
    leave(member);
    members.remove(member.name);
    idle.remove(member);
    fill();
  }

  private void leave(Member member) {
    given.remove(member.credit);
    member.credit = 0;
    waiting -= member.doing.hasNoPlace() ? 1 : 0;
    abandoned -= member.doing == Member.Doing.ABANDONED ? 1 : 0;
    returning.remove(member);
  }

  /// An attempt waits for a child: its place is for somebody else.
  void park(Member member, JobId job, int round) {
    member.doing = Member.Doing.PARKED;
    member.job = job;
    member.round = round;
    waiting++;
    fill();
  }

  /// An attempt may go on, as soon as there is room.
  void mayReturn(Member member) {
    member.doing = Member.Doing.RETURNING;
    returning.add(member);
  }

  /// The next attempt that goes on; null if there is none, or no room.
  ///
  /// @return with the idle worker whose place it takes, and who is forgotten
  @Nullable Return nextReturn() {
    if (returning.isEmpty() || idle.isEmpty()) {
      return null;
    }
    var back = returning.poll();
    back.doing = Member.Doing.WORKING;
    waiting--;
    return new Return(back, dismiss());
  }

  record Return(Member back, Member dismissed) {}

  /// An attempt has been given up: a place is taken until its code ends.
  ///
  /// @return an idle worker that has lost its place to it, and is forgotten; null if there is none
  @Nullable Member abandon(Member member) {
    waiting -= member.doing.hasNoPlace() ? 1 : 0;
    returning.remove(member);
    abandoned++;
    member.doing = Member.Doing.ABANDONED;
    return members.size() - waiting > places && hasIdle() ? dismiss() : null;
  }

  private Member dismiss() {
    var last = idle.pollLast();
    members.remove(last.name);
    return last;
  }

  int waiting() {
    return waiting;
  }

  int abandoned() {
    return abandoned;
  }

  /// How many workers with a place are not idle.
  int busy() {
    return given.size() - waiting;
  }

  /// Whether nothing is left but attempts that were given up.
  boolean isDone() {
    return given.size() == abandoned;
  }
}
