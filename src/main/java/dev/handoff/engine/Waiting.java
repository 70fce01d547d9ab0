package dev.handoff.engine;

import dev.handoff.job.Job;
import dev.handoff.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Messages for jobs that have no actor, in order, until it is known what has become of each: asked
/// once, however many messages wait for the answer.
final class Waiting {

  private final Map<JobId, List<Job.Command>> waiting = new HashMap<>();
  private final int room;

  /// @param room how many messages may wait for one job
  Waiting(int room) {
    this.room = room;
  }

  /// From now on messages for the job wait.
  void open(JobId job) {
    waiting.computeIfAbsent(job, first -> new ArrayList<>(1));
  }

  boolean isOpen(JobId job) {
    return waiting.containsKey(job);
  }

  /// @return whether there was room
  boolean add(JobId job, Job.Command message) {
    var messages = waiting.get(job);
    return messages.size() < room && messages.add(message);
  }

  /// The answer is there: what has waited for it.
  List<Job.Command> close(JobId job) {
    var messages = waiting.remove(job);
    return messages == null ? List.of() : messages;
  }
}
