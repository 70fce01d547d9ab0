package dev.handoff.internal.job;

import dev.handoff.JobId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/// Cancel of a parent's children. The parent repeats the cancel to each child until the child
/// answers, then watches the child until it ends. Belongs to the parent's actor.
final class ChildCancellation {

  private final JobEnvironment environment;
  private final ActorRef<JobReply> answers;
  private final ActorRef<WatchReply> ends;
  private final JobCommand.Cancel order;
  private final Set<JobId> untold = new LinkedHashSet<>();
  private final Set<JobId> ending = new LinkedHashSet<>();
  private boolean overdue;

  ChildCancellation(
      JobEnvironment environment,
      ActorRef<JobReply> answers,
      ActorRef<WatchReply> ends,
      JobState parent,
      JobPhase.CancelRequest request) {
    this.environment = environment;
    this.answers = answers;
    this.ends = ends;
    this.order = new JobCommand.Cancel(request.reason(), "parent " + parent.id());
    parent.trail().children().forEach(child -> untold.add(child.id()));
  }

  /// Sends the cancel to every child that has not ended, confirmed or not: a former actor of the
  /// parent may have received the confirmation, or the child may have a new actor that does not
  /// know the watch.
  void tell() {
    untold.forEach(this::order);
    ending.forEach(this::order);
  }

  /// Handles a child's reply to the cancel: the cancel is durable, or the child had ended.
  void answered(JobReply reply) {
    switch (reply) {
      case JobReply.Done(var child) when !child.ended() -> await(child.id());
      case JobReply.Done(var child) -> over(child.id());
      case JobReply.AlreadyFinished(var child) -> over(child.id());
      case JobReply.NotFound(var child) -> over(child);
      case JobReply.Declined later -> {}
      case JobReply.Unavailable later -> {}
      case JobReply.Refused later -> {}
    }
  }

  /// Handles a child's reply to the watch.
  void ended(WatchReply reply) {
    switch (reply) {
      case WatchReply.Ended(var child) -> over(child.id());
      case WatchReply.NotFound(var child) -> over(child);
      case WatchReply.Unavailable later -> {}
    }
  }

  /// Ends the wait for reports: the parent ends without the missing children.
  void giveUp() {
    overdue = true;
  }

  boolean isSettled() {
    return overdue || untold.isEmpty() && ending.isEmpty();
  }

  List<JobId> unanswered() {
    var all = new LinkedHashSet<>(untold);
    all.addAll(ending);
    return List.copyOf(all);
  }

  private void await(JobId child) {
    if (untold.remove(child) && ending.add(child)) {
      send(child, new Job.Watch(ends));
    }
  }

  private void order(JobId child) {
    send(child, new Job.Do(order, answers));
  }

  private void over(JobId child) {
    untold.remove(child);
    ending.remove(child);
  }

  private void send(JobId child, Job.Command command) {
    environment.partition().tell(new PartitionNotice.Forward(new JobEnvelope(child, command)));
  }
}
