package dev.handoff.internal.dispatch;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.pool.PlainPool;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.WorkerCredit;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;

/// Model of a job as its dispatcher sees it; facts are durable at once.
public final class PlainJob {

  /// Stage of the job.
  private enum Stage {
    /// Asks for a worker before its submission is durable.
    ASKING,
    QUEUED,
    /// The attempt runs and holds a slot.
    GOING,
    /// The attempt waits for a child.
    PARKED,
    /// The child has ended, and the attempt asks to continue.
    WANTING,
    OVER
  }

  /// One of this number of offers is declined, as if the ledger were unreachable.
  private static final int TAKEN_OF_DECLINED = 8;

  final JobId id;
  final String queue;
  private final Map<PoolId, PlainPool> pools;
  private final Consumer<Dispatcher.Command> dispatcher;
  private final TestInbox<Job.Command> inbox = TestInbox.create();
  private final Deque<Job.Command> received = new ArrayDeque<>();
  private Stage stage = Stage.ASKING;
  private int attempt;
  private WorkerCredit credit;
  private PlainPool pool;
  private int round;
  private boolean heard;
  private boolean allowed;

  /// @param pools pools by id, including dead ones
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

  /// Announces the job, or first asks for a worker.
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

  /// Whether the job counts against the limit of its queue.
  boolean isUsing() {
    return stage == Stage.GOING;
  }

  boolean isOver() {
    return stage == Stage.OVER;
  }

  /// Whether the dispatcher has received the request to continue and has not granted it.
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

  /// Notes that the dispatcher has handled the request to continue.
  void isHeard(int ofRound) {
    heard |= ofRound == round;
  }

  /// Notes that the dispatcher has granted the request, before the pool knows.
  void isAllowed() {
    allowed = true;
  }

  public void goOn(int ofRound) {
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

  /// Moves messages from the inbox to the job's own queue.
  ///
  /// @return whether an offer is among them
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
      case Job.UpdateAttempt(JobCommand.LoseWorker(int lost), var replyTo)
          when lost == attempt && isUnderway() -> {
        tell(new JobNotice.Freed(id, attempt, queue));
        wantAWorker(now);
      }
      case Job.UpdateAttempt(JobCommand.LoseWorker(int lost), var replyTo) ->
          replyTo.tell(new ReportReply.Fenced(id, lost, attempt));
      case Job.NoWorker none when stage == Stage.ASKING -> wantAWorker(now);
      case Job.Command other -> {}
    }
  }

  /// Answers for a job that has ended and is not live any more.
  static void notFound(JobEnvelope message) {
    if (message.command() instanceof Job.UpdateAttempt(var lost, var replyTo)) {
      replyTo.tell(new ReportReply.Fenced(message.job(), lost.attempt(), 0));
    }
  }

  private boolean isUnderway() {
    return stage == Stage.GOING || stage == Stage.PARKED || stage == Stage.WANTING;
  }

  private void take(WorkerCredit offered) {
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
