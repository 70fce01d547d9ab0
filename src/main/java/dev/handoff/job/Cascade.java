package dev.handoff.job;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/// The cancel of a parent on its way through its children: each is told until it answers, and then
/// waited for until it has ended. Belongs to the parent's actor.
final class Cascade {

  private final JobEnvironment environment;
  private final ActorRef<JobReply> answers;
  private final JobCommand.Cancel order;
  private final Set<JobId> untold = new LinkedHashSet<>();
  private final Set<JobId> ending = new LinkedHashSet<>();
  private boolean overdue;

  Cascade(
      JobEnvironment environment,
      ActorRef<JobReply> answers,
      JobState parent,
      Phase.CancelRequest request) {
    this.environment = environment;
    this.answers = answers;
    this.order = new JobCommand.Cancel(request.reason(), "parent " + parent.id());
    parent.trail().children().forEach(child -> untold.add(child.id()));
  }

  /// Tells every child that has not ended yet: one that was told before answers where it stands,
  /// which it may have done already to an actor or from an actor that is gone.
  void tell() {
    untold.forEach(this::order);
    ending.forEach(this::order);
  }

  /// A child has answered: its cancel is durable, or it had ended.
  void answered(JobReply reply) {
    switch (reply) {
      case JobReply.Done(var child) when !child.ended() -> await(child.id());
      case JobReply.Done(var child) -> over(child.id());
      case JobReply.AlreadyFinished(var child) -> over(child.id());
      case JobReply.NotFound(var child) -> over(child);
      case JobReply.Declined later -> {}
      case JobReply.Unavailable later -> {}
      case JobReply.Refused later -> {}
      case JobReply.Recorded other -> {}
      case JobReply.Fenced other -> {}
      case JobReply.NotRecorded other -> {}
      case JobReply.ChildAccepted other -> {}
      case JobReply.ChildRefused other -> {}
    }
  }

  /// The time for reports is over: go on without those that have not answered.
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
      send(child, new Job.Watch(answers));
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
    environment.partition().tell(new PartitionNotice.Forward(new ForJob(child, command)));
  }
}
