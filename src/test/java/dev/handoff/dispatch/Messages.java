package dev.handoff.dispatch;

import dev.handoff.job.Job;
import dev.handoff.job.JobCommand;
import dev.handoff.job.JobNotice;
import dev.handoff.job.JobReply;
import dev.handoff.job.WorkerOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.internal.AdaptMessage;
import org.apache.pekko.actor.typed.internal.AdaptWithRegisteredMessageAdapter;

/// The kinds of messages of the protocol between jobs, dispatchers, pools, workers and queues.
final class Messages {

  static final Map<String, Predicate<Object>> KINDS = kinds();

  private Messages() {}

  private static Map<String, Predicate<Object>> kinds() {
    var kinds = new LinkedHashMap<String, Predicate<Object>>();
    kinds.put("Register", FromPool.Register.class::isInstance);
    kinds.put("Registered", WorkerPool.Registered.class::isInstance);
    kinds.put("Want", WorkerPool.Want.class::isInstance);
    kinds.put("Credited", FromPool.Credited.class::isInstance);
    kinds.put("GiveBack", WorkerPool.GiveBack.class::isInstance);
    kinds.put("Beat", FromPool.Beat.class::isInstance);
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
    kinds.put("Recorded", JobReply.Recorded.class::isInstance);
    kinds.put("Stop", WorkerOrder.Stop.class::isInstance);
    kinds.put("Abandoned", WorkerPool.Abandoned.class::isInstance);
    kinds.put("Parked by the worker", WorkerPool.Parked.class::isInstance);
    kinds.put("WantsToGoOn", WorkerPool.WantsToGoOn.class::isInstance);
    kinds.put("GoOn", Worker.GoOn.class::isInstance);
    kinds.put("Parked", FromPool.Parked.class::isInstance);
    kinds.put("Unpark", FromPool.Unpark.class::isInstance);
    kinds.put("MayGoOn", WorkerPool.MayGoOn.class::isInstance);
    kinds.put("Rules", Dispatcher.Rules.class::isInstance);
    kinds.put("Confirmed", Queues.Confirmed.class::isInstance);
    kinds.put("SlotsHeld", Queues.SlotsHeld.class::isInstance);
    kinds.put("Slots", Dispatcher.Slots.class::isInstance);
    kinds.put("Leave", FromPool.Leave.class::isInstance);
    kinds.put("RunAgain", Job.RunAgain.class::isInstance);
    return kinds;
  }

  /// Whether the protocol stands it. A job and its dispatcher live and die together, so what a job
  /// wants is told once: nothing would make up for it.
  static boolean stands(String kind, Faults.Kind fault) {
    return !kind.equals("Ready") || fault != Faults.Kind.LOSE;
  }

  private static Object command(Object message) {
    return message instanceof Job.Do(var command, var replyTo) ? command : message;
  }

  /// What is in the envelope.
  static Object content(Object message) {
    return switch (message) {
      case AdaptWithRegisteredMessageAdapter<?> wrapped -> wrapped.msg();
      case AdaptMessage<?, ?> wrapped -> wrapped.message();
      case Object plain -> plain;
    };
  }
}
