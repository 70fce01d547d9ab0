package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/// What a pool tells dispatchers of itself and of its workers.
///
/// @param introduction how it registers
record ToDispatchers(FromPool.Register introduction, Links links) {

  void register(ActorRef<Dispatcher.Command> dispatcher) {
    dispatcher.tell(introduction);
  }

  void leave(ActorRef<Dispatcher.Command> dispatcher) {
    dispatcher.tell(new FromPool.Leave(introduction.pool()));
  }

  /// What was lent is needed elsewhere.
  void recall(DispatcherLink link) {
    link.dispatcher.tell(new FromPool.Recall(introduction.pool()));
  }

  /// A worker is for the dispatcher that its credit was made for.
  void credit(DispatcherLink link, Member member) {
    var credit = new Credit(introduction.pool(), member.credit, member.name, member.orders);
    link.dispatcher.tell(new FromPool.Credited(link.epoch, credit));
  }

  /// Says that an attempt waits for a child, or wants to go on; nothing of one that does neither.
  void waiting(Member member) {
    var link = links.get(member.partition);
    if (link != null && member.doing == Member.Doing.PARKED) {
      link.dispatcher.tell(
          new FromPool.Parked(introduction.pool(), member.credit, member.job, member.round));
    } else if (link != null && member.doing == Member.Doing.ASKING) {
      link.dispatcher.tell(
          new FromPool.Unpark(introduction.pool(), member.credit, member.job, member.round));
    }
  }

  /// Tells each dispatcher which of the credits that were given away are its own.
  ///
  /// @param upTo the last credit that was given to anybody
  void beat(long now, long upTo, Collection<Member> given) {
    var listed = new HashMap<Integer, List<Long>>();
    for (var member : given) {
      listed.computeIfAbsent(member.partition, none -> new ArrayList<>()).add(member.credit);
    }
    for (var link : links.all()) {
      var own = listed.getOrDefault(link.partition, List.of());
      link.dispatcher.tell(new FromPool.Beat(introduction.pool(), now, upTo, own));
    }
  }
}
