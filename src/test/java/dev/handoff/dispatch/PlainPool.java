package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.job.Credit;
import dev.handoff.job.JobId;
import dev.handoff.job.PoolId;
import dev.handoff.job.WorkerOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;

/// A worker pool as dispatchers know it. Its workers do what their jobs say.
final class PlainPool {

  private static final int PLACES = 5;
  private static final int LENT = 2;

  private final PoolId id;
  private final List<Deque<Dispatcher.Command>> dispatchers;
  private final TestInbox<WorkerPool.Command> inbox = TestInbox.create();
  private final TestInbox<WorkerOrder> worker = TestInbox.create();
  private final Deque<WorkerPool.Command> received = new ArrayDeque<>();
  private final List<WorkerPool.MayGoOn> allowed = new ArrayList<>();
  private final Map<Integer, DispatcherLink> links = new HashMap<>();
  private final Map<Long, Integer> open = new HashMap<>();
  private final Map<Long, JobId> running = new HashMap<>();
  private final Set<Long> parked = new HashSet<>();
  private long credits;
  private int turn;
  private boolean alive = true;

  /// @param dispatchers the mailboxes of all of them, by partition
  PlainPool(PoolId id, List<Deque<Dispatcher.Command>> dispatchers) {
    this.id = id;
    this.dispatchers = dispatchers;
  }

  PoolId id() {
    return id;
  }

  boolean isAlive() {
    return alive;
  }

  /// It is silent from now on, and nothing of it runs any more.
  void die() {
    alive = false;
  }

  void register() {
    dispatchers.forEach(
        each ->
            each.add(new FromPool.Register(id, Set.of("t"), PLACES, LENT, true, inbox.getRef())));
  }

  void beat() {
    register();
    for (int partition : links.keySet()) {
      var own = open.keySet().stream().filter(credit -> open.get(credit) == partition).toList();
      tell(partition, new FromPool.Beat(id, 0, credits, own));
    }
  }

  private void tell(int partition, FromPool message) {
    dispatchers.get(partition).add(message);
  }

  /// Whether a job could begin, now or when what it has lent is given back.
  boolean hasRoom() {
    return busy() - idle() < PLACES;
  }

  private int busy() {
    return open.size() - parked.size();
  }

  private int idle() {
    return links.values().stream().mapToInt(DispatcherLink::idle).sum();
  }

  /// Takes what has been sent to it out of its inbox.
  void receive() {
    while (inbox.hasMessages()) {
      var message = inbox.receiveMessage();
      received.add(message);
      if (message instanceof WorkerPool.MayGoOn may) {
        allowed.add(may);
      }
    }
  }

  /// Who has been let go on since the last time.
  List<WorkerPool.MayGoOn> allowed() {
    var news = List.copyOf(allowed);
    allowed.clear();
    return news;
  }

  boolean hasMessages() {
    return alive && !received.isEmpty();
  }

  void handleOne(Function<JobId, PlainJob> jobs) {
    switch (received.poll()) {
      case WorkerPool.Registered now -> onRegistered(now);
      case WorkerPool.Want want -> links.get(want.partition()).want(want);
      case WorkerPool.GiveBack(long credit) -> onGiveBack(credit);
      case WorkerPool.MayGoOn(long credit, int round) when running.containsKey(credit) ->
          jobs.apply(running.get(credit)).goOn(round);
      case WorkerPool.Command other -> {}
    }
    share();
  }

  private void onRegistered(WorkerPool.Registered now) {
    links.computeIfAbsent(now.partition(), first -> new DispatcherLink(now, 0));
  }

  private void onGiveBack(long credit) {
    assertThat(running).as("given back of %s", id).doesNotContainKey(credit);
    open.remove(credit);
  }

  private void share() {
    give(DispatcherLink::isWanting, PLACES);
    give(DispatcherLink::wouldBorrow, PLACES / 2);
    if (busy() >= PLACES && links.values().stream().anyMatch(DispatcherLink::isWanting)) {
      links.values().stream()
          .filter(DispatcherLink::recall)
          .forEach(link -> tell(link.partition, new FromPool.Recall(id)));
    }
  }

  private void give(Predicate<DispatcherLink> which, int places) {
    for (int tries = 0; tries < dispatchers.size(); tries++) {
      int partition = turn++ % dispatchers.size();
      var link = links.get(partition);
      if (link != null && which.test(link) && busy() < places) {
        tries = -1;
        open.put(++credits, partition);
        link.sent(credits);
        var credit = new Credit(id, credits, "worker-" + credits, worker.getRef());
        tell(partition, new FromPool.Credited(link.epoch, credit));
      }
    }
  }

  void runs(Credit credit, JobId job) {
    running.put(credit.number(), job);
  }

  void comesBack(Credit credit) {
    running.remove(credit.number());
    open.remove(credit.number());
    parked.remove(credit.number());
    share();
  }

  void parks(Credit credit, JobId job, int round) {
    parked.add(credit.number());
    tell(open.get(credit.number()), new FromPool.Parked(id, credit.number(), job, round));
    share();
  }

  void wantsToGoOn(Credit credit, JobId job, int round) {
    tell(open.get(credit.number()), new FromPool.Unpark(id, credit.number(), job, round));
  }

  void resumes(Credit credit) {
    parked.remove(credit.number());
  }

  /// Every credit is used or lent, when nothing is on its way.
  void requireThatNoneIsLost() {
    assertThat(open.keySet()).as("credits of %s", id).containsAll(running.keySet());
    assertThat(open.size() - running.size()).as("idle credits of %s", id).isEqualTo(idle());
  }
}
