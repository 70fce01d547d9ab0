package dev.handoff.internal.dispatch;

import dev.handoff.internal.dispatch.worker.Worker;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.WorkerOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.internal.AdaptMessage;
import org.apache.pekko.actor.typed.internal.AdaptWithRegisteredMessageAdapter;

/// Kinds of messages in the protocol between jobs, dispatchers, pools, workers and queues.
final class ProtocolMessages {

  static final Map<String, Predicate<Object>> KINDS = kinds();

  private ProtocolMessages() {}

  private static Map<String, Predicate<Object>> kinds() {
    var kinds = new LinkedHashMap<String, Predicate<Object>>();
    kinds.put("Register", PoolMessage.Register.class::isInstance);
    kinds.put("Registered", WorkerPool.Registered.class::isInstance);
    kinds.put("Want", WorkerPool.Want.class::isInstance);
    kinds.put("Credited", PoolMessage.Credited.class::isInstance);
    kinds.put("GiveBack", WorkerPool.GiveBack.class::isInstance);
    kinds.put("Beat", PoolMessage.Beat.class::isInstance);
    kinds.put("BeatAnswered", WorkerPool.BeatAnswered.class::isInstance);
    kinds.put("Offer", Worker.Offer.class::isInstance);
    kinds.put("Close", Worker.Close.class::isInstance);
    kinds.put("Idle", WorkerPool.Idle.class::isInstance);
    kinds.put("Ready", JobNotice.Ready.class::isInstance);
    kinds.put("Claim", Job.Claim.class::isInstance);
    kinds.put("Taken", JobNotice.Taken.class::isInstance);
    kinds.put("Declined", JobNotice.Declined.class::isInstance);
    kinds.put("Freed", JobNotice.Freed.class::isInstance);
    kinds.put("Withdrawn", JobNotice.Withdrawn.class::isInstance);
    kinds.put("Run", WorkerOrder.Run.class::isInstance);
    kinds.put("Started", message -> command(message) instanceof JobCommand.Started);
    kinds.put("Report", message -> command(message) instanceof JobCommand.Report);
    kinds.put("Recorded", ReportReply.Recorded.class::isInstance);
    kinds.put("Stop", WorkerOrder.Stop.class::isInstance);
    kinds.put("Abandoned", WorkerPool.Abandoned.class::isInstance);
    kinds.put("Parked by the worker", WorkerPool.Parked.class::isInstance);
    kinds.put("WantsToGoOn", WorkerPool.WantsToGoOn.class::isInstance);
    kinds.put("GoOn", Worker.GoOn.class::isInstance);
    kinds.put("Parked", PoolMessage.Parked.class::isInstance);
    kinds.put("Unpark", PoolMessage.Unpark.class::isInstance);
    kinds.put("MayGoOn", WorkerPool.MayGoOn.class::isInstance);
    kinds.put("Rules", Dispatcher.Rules.class::isInstance);
    kinds.put("Confirmed", Queues.Confirmed.class::isInstance);
    kinds.put("SlotsHeld", Queues.SlotsHeld.class::isInstance);
    kinds.put("Slots", Dispatcher.Slots.class::isInstance);
    kinds.put("Leave", PoolMessage.Leave.class::isInstance);
    kinds.put("RunAgain", Job.RunAgain.class::isInstance);
    return kinds;
  }

  /// Whether the protocol tolerates the fault. A job and its dispatcher share a process, so a job
  /// sends `Ready` only once: no repetition replaces a lost one.
  static boolean stands(String kind, MessageFaults.Kind fault) {
    return !kind.equals("Ready") || fault != MessageFaults.Kind.LOSE;
  }

  private static Object command(Object message) {
    return switch (message) {
      case Job.Do(var command, var replyTo) -> command;
      case Job.UpdateAttempt(var command, var replyTo) -> command;
      case Object other -> other;
    };
  }

  /// Content of an envelope.
  static Object content(Object message) {
    return switch (message) {
      case AdaptWithRegisteredMessageAdapter<?> wrapped -> wrapped.msg();
      case AdaptMessage<?, ?> wrapped -> wrapped.message();
      case Dispatcher.Notice(var notice) -> notice;
      case Object plain -> plain;
    };
  }
}
