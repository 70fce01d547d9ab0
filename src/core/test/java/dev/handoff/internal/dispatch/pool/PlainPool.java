package dev.handoff.internal.dispatch.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.PlainJob;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
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

/// Model of a worker pool as dispatchers see it. Jobs control its workers.
public final class PlainPool {

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

  /// @param dispatchers mailboxes of all dispatchers, by partition
  public PlainPool(PoolId id, List<Deque<Dispatcher.Command>> dispatchers) {
    this.id = id;
    this.dispatchers = dispatchers;
  }

  public PoolId id() {
    return id;
  }

  public boolean isAlive() {
    return alive;
  }

  /// Kills the pool: it falls silent, and none of its attempts runs.
  public void die() {
    alive = false;
  }

  public void register() {
    dispatchers.forEach(
        each ->
            each.add(
                new PoolMessage.Register(id, Set.of("t"), PLACES, LENT, true, inbox.getRef())));
  }

  public void beat() {
    register();
    for (int partition : links.keySet()) {
      var own = open.keySet().stream().filter(credit -> open.get(credit) == partition).toList();
      tell(partition, new PoolMessage.Beat(id, 0, credits, own));
    }
  }

  private void tell(int partition, PoolMessage message) {
    dispatchers.get(partition).add(message);
  }

  /// Whether a job could start, now or after lent workers are recalled.
  public boolean hasRoom() {
    return busy() - idle() < PLACES;
  }

  private int busy() {
    return open.size() - parked.size();
  }

  private int idle() {
    return links.values().stream().mapToInt(DispatcherLink::idle).sum();
  }

  /// Moves messages from the inbox to the pool's own queue.
  public void receive() {
    while (inbox.hasMessages()) {
      var message = inbox.receiveMessage();
      received.add(message);
      if (message instanceof WorkerPool.MayGoOn may) {
        allowed.add(may);
      }
    }
  }

  /// Permissions to continue since the last call.
  public List<WorkerPool.MayGoOn> allowed() {
    var news = List.copyOf(allowed);
    allowed.clear();
    return news;
  }

  public boolean hasMessages() {
    return alive && !received.isEmpty();
  }

  public void handleOne(Function<JobId, PlainJob> jobs) {
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
          .forEach(link -> tell(link.partition, new PoolMessage.Recall(id)));
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
        var credit = new WorkerCredit(id, credits, "worker-" + credits, worker.getRef());
        tell(partition, new PoolMessage.Credited(link.epoch, credit));
      }
    }
  }

  public void runs(WorkerCredit credit, JobId job) {
    running.put(credit.number(), job);
  }

  public void comesBack(WorkerCredit credit) {
    running.remove(credit.number());
    open.remove(credit.number());
    parked.remove(credit.number());
    share();
  }

  public void parks(WorkerCredit credit, JobId job, int round) {
    parked.add(credit.number());
    tell(open.get(credit.number()), new PoolMessage.Parked(id, credit.number(), job, round));
    share();
  }

  public void wantsToGoOn(WorkerCredit credit, JobId job, int round) {
    tell(open.get(credit.number()), new PoolMessage.Unpark(id, credit.number(), job, round));
  }

  public void resumes(WorkerCredit credit) {
    parked.remove(credit.number());
  }

  /// Asserts that every credit is in use or lent, once all messages are delivered.
  public void requireThatNoneIsLost() {
    assertThat(open.keySet()).as("credits of %s", id).containsAll(running.keySet());
    assertThat(open.size() - running.size()).as("idle credits of %s", id).isEqualTo(idle());
  }
}
