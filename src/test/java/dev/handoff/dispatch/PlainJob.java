package dev.handoff.dispatch;

import dev.handoff.job.Credit;
import dev.handoff.job.ForJob;
import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobId;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobReply;
import dev.handoff.job.PoolId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;

/// A job as a dispatcher knows it, whose facts are durable at once.
final class PlainJob {

  /// Where the job stands.
  private enum Stage {
    /// Nobody knows of it yet: it has asked for a worker to begin with.
    ASKING,
    QUEUED,
    /// Its attempt runs, and holds a slot.
    GOING,
    /// Its attempt waits for a child.
    PARKED,
    /// The child has ended.
    WANTING,
    OVER
  }

  /// Of so many offers one is declined as if the ledger were away.
  private static final int TAKEN_OF_DECLINED = 8;

  final JobId id;
  final String queue;
  private final Map<PoolId, PlainPool> pools;
  private final Consumer<Dispatcher.Command> dispatcher;
  private final TestInbox<Job.Command> inbox = TestInbox.create();
  private final Deque<Job.Command> received = new ArrayDeque<>();
  private Stage stage = Stage.ASKING;
  private int attempt;
  private Credit credit;
  private PlainPool pool;
  private int round;
  private boolean heard;
  private boolean allowed;

  /// @param pools by their ids, those that are gone, too
  PlainJob(
      JobId id,
      String queue,
      Map<PoolId, PlainPool> pools,
      Consumer<Dispatcher.Command> dispatcher) {
    this.id = id;
    this.pools = pools;
    this.queue = queue;
    this.dispatcher = dispatcher;
  }

  private void tell(JobNotice notice) {
    dispatcher.accept(new Dispatcher.Notice(notice));
  }

  /// Says that there is such a job, or asks for a worker first.
  void begin(boolean ask, Instant now) {
    if (ask) {
      tell(new JobNotice.AboutToBeReady(ready(now)));
    } else {
      wantAWorker(now);
    }
  }

  void wantAWorker(Instant now) {
    stage = Stage.QUEUED;
    tell(ready(now));
  }

  private JobNotice.Ready ready(Instant now) {
    return new JobNotice.Ready(id, "t", queue, 0, now, inbox.getRef());
  }

  boolean isQueued() {
    return stage == Stage.QUEUED;
  }

  boolean isGoing() {
    return stage == Stage.GOING && pool != null && pool.isAlive();
  }

  boolean isParked() {
    return stage == Stage.PARKED && pool.isAlive();
  }

  /// Whether it counts against the limit of its queue.
  boolean isUsing() {
    return stage == Stage.GOING;
  }

  boolean isOver() {
    return stage == Stage.OVER;
  }

  /// Whether the dispatcher has heard that its attempt wants to go on, and has not let it.
  boolean waits() {
    return stage == Stage.WANTING && heard && !allowed && pool.isAlive();
  }

  void cancel() {
    stage = Stage.OVER;
    tell(new JobNotice.Withdrawn(id, inbox.getRef()));
  }

  void end() {
    pool.comesBack(credit);
    stage = Stage.OVER;
    tell(new JobNotice.Freed(id, attempt, queue));
  }

  void park() {
    stage = Stage.PARKED;
    round++;
    pool.parks(credit, id, round);
  }

  void wantToGoOn() {
    stage = Stage.WANTING;
    heard = false;
    allowed = false;
    pool.wantsToGoOn(credit, id, round);
  }

  /// The dispatcher has handled the wish.
  void isHeard(int ofRound) {
    heard |= ofRound == round;
  }

  /// The dispatcher has let it go on; the pool does not know yet.
  void isAllowed() {
    allowed = true;
  }

  void goOn(int ofRound) {
    if (stage == Stage.WANTING && ofRound == round) {
      stage = Stage.GOING;
      pool.resumes(credit);
    }
  }

  boolean runsOn(PlainPool other, WorkerPool.MayGoOn may) {
    return stage == Stage.WANTING
        && pool == other
        && credit.number() == may.credit()
        && round == may.round();
  }

  /// Takes what has been sent to it out of its inbox.
  ///
  /// @return whether it has been offered something
  boolean receive() {
    boolean any = inbox.hasMessages();
    boolean offered = false;
    while (inbox.hasMessages()) {
      var message = inbox.receiveMessage();
      offered |= message instanceof Job.Claim;
      received.add(message);
    }
    return any && offered;
  }

  boolean hasMessages() {
    return !received.isEmpty();
  }

  void handleOne(Random random, Instant now) {
    handle(received.poll(), random, now);
  }

  void handle(Job.Command message, Random random, Instant now) {
    switch (message) {
      case Job.Claim(var offered) when offered.equals(credit) -> taken();
      case Job.Claim(var offered) when stage != Stage.QUEUED && stage != Stage.ASKING ->
          tell(new JobNotice.Declined(id, offered));
      case Job.Claim(var offered) when random.nextInt(TAKEN_OF_DECLINED) == 0 -> {
        tell(new JobNotice.Declined(id, offered));
        if (stage == Stage.QUEUED) {
          wantAWorker(now);
        } else {
          stage = Stage.OVER;
        }
      }
      case Job.Claim(var offered) -> take(offered);
      case Job.Do(JobCommand.LoseWorker(int lost), var replyTo)
          when lost == attempt && isUnderway() -> {
        tell(new JobNotice.Freed(id, attempt, queue));
        wantAWorker(now);
      }
      case Job.Do(JobCommand.LoseWorker(int lost), var replyTo) ->
          replyTo.tell(new JobReply.Fenced(id, lost, attempt));
      case Job.NoWorker none when stage == Stage.ASKING -> wantAWorker(now);
      case Job.Command other -> {}
    }
  }

  /// A job that is over and forgotten.
  static void notFound(ForJob message) {
    if (message.command() instanceof Job.Do(var lost, var replyTo)) {
      replyTo.tell(new JobReply.NotFound(message.job()));
    }
  }

  private boolean isUnderway() {
    return stage == Stage.GOING || stage == Stage.PARKED || stage == Stage.WANTING;
  }

  private void take(Credit offered) {
    stage = Stage.GOING;
    attempt++;
    round = 0;
    credit = offered;
    pool = pools.get(offered.pool());
    pool.runs(offered, id);
    taken();
  }

  private void taken() {
    tell(new JobNotice.Taken(id, attempt, queue, credit, inbox.getRef()));
  }

  @Override
  public String toString() {
    return "%s of %s %s%s"
        .formatted(id, queue, stage, pool != null && !pool.isAlive() ? " lost" : "");
  }
}
