package dev.handoff.internal.engine;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.SubmitReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Key holders of a partition. A submission reserves its key here. One history query covers many
/// keys; later submissions of a key wait for the first.
final class JobKeys {

  private static final int OVERHEAD = 1024;

  private final Map<String, JobId> holders = new HashMap<>();
  private final Map<JobId, String> keys = new HashMap<>();
  private final Map<String, List<Submission>> asking = new LinkedHashMap<>();
  private final Map<String, List<Submission>> next = new LinkedHashMap<>();
  private final Set<String> changed = new HashSet<>();
  private final long room;
  private long held;

  /// @param room limit, in bytes, of the submissions that wait for history
  JobKeys(long room) {
    this.room = room;
  }

  /// Source of a submission, which receives the reply.
  sealed interface From {}

  record Alone(ActorRef<SubmitReply> replyTo) implements From {}

  record InBatch(BatchReplies batch) implements From {}

  /// Submission that waits for its key.
  record Submission(JobId id, JobSpec spec, From from) {

    void answer(SubmitReply reply) {
      switch (from) {
        case Alone(var replyTo) -> replyTo.tell(reply);
        case InBatch(var batch) -> batch.put(id, reply);
      }
    }

    /// Approximate memory of a waiting submission.
    private int bytes() {
      return OVERHEAD + spec.payload().size();
    }
  }

  @Nullable JobId holder(String key) {
    return holders.get(key);
  }

  void hold(@Nullable String key, JobId id) {
    if (key != null) {
      holders.put(key, id);
      keys.put(id, key);
      change(key);
    }
  }

  void release(JobId id) {
    var key = keys.remove(id);
    if (key != null) {
      holders.remove(key, id);
      change(key);
    }
  }

  /// Marks a key whose holder changes during a history query: the answer for it will be outdated.
  private void change(String key) {
    if (asking.containsKey(key)) {
      changed.add(key);
    }
  }

  /// @return whether there was room
  boolean await(String key, Submission submission) {
    if (held + submission.bytes() > room) {
      return false;
    }
    held += submission.bytes();
    var table = asking.containsKey(key) ? asking : next;
    return table.computeIfAbsent(key, first -> new ArrayList<>(1)).add(submission);
  }

  /// Keys for the next history query; empty during a query, or without waiting keys.
  Set<String> toAsk() {
    if (!asking.isEmpty() || next.isEmpty()) {
      return Set.of();
    }
    asking.putAll(next);
    next.clear();
    return Set.copyOf(asking.keySet());
  }

  /// Closes the history query and returns its submissions by key. Submissions with an outdated
  /// answer wait for the next query. The others keep their room until [#settled].
  Map<String, List<Submission>> answered() {
    changed.forEach(key -> next.put(key, asking.remove(key)));
    changed.clear();
    var waiting = new LinkedHashMap<>(asking);
    asking.clear();
    return waiting;
  }

  /// Frees the room of a submission with a reply or a started job.
  void settled(Submission submission) {
    held -= submission.bytes();
  }
}
