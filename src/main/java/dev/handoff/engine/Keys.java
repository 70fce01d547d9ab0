package dev.handoff.engine;

import dev.handoff.job.JobId;
import dev.handoff.job.JobSpec;
import dev.handoff.job.SubmitReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Who holds which key in a partition. A submission reserves its key here; whether history has it
/// is asked for many keys at once; later submissions of the same key wait for the first.
final class Keys {

  private static final int OVERHEAD = 1024;

  private final Map<String, JobId> holders = new HashMap<>();
  private final Map<JobId, String> keys = new HashMap<>();
  private final Map<String, List<Submission>> asking = new LinkedHashMap<>();
  private final Map<String, List<Submission>> next = new LinkedHashMap<>();
  private final Set<String> changed = new HashSet<>();
  private final long room;
  private long held;

  /// @param room how much may wait for history, in bytes
  Keys(long room) {
    this.room = room;
  }

  /// Where a submission comes from, and its answer goes.
  sealed interface From {}

  record Alone(ActorRef<SubmitReply> replyTo) implements From {}

  record InBatch(BatchReplies batch) implements From {}

  /// A submission that waits for its key.
  record Submission(JobId id, JobSpec spec, From from) {

    void answer(SubmitReply reply) {
      switch (from) {
        case Alone(var replyTo) -> replyTo.tell(reply);
        case InBatch(var batch) -> batch.put(id, reply);
      }
    }

    /// About how much memory it takes while it waits.
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

  /// What history says of a key is out of date once the key has changed hands meanwhile.
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

  /// The keys to ask history for now; empty while an answer is still to come, or nothing waits.
  Set<String> toAsk() {
    if (!asking.isEmpty() || next.isEmpty()) {
      return Set.of();
    }
    asking.putAll(next);
    next.clear();
    return Set.copyOf(asking.keySet());
  }

  /// The answer has come: who waits for it, by key. Those for whom it is out of date wait for
  /// another one. The others take their room until they are [#settled].
  Map<String, List<Submission>> answered() {
    changed.forEach(key -> next.put(key, asking.remove(key)));
    changed.clear();
    var waiting = new LinkedHashMap<>(asking);
    asking.clear();
    return waiting;
  }

  /// The submission has its answer, or is on its way as a job.
  void settled(Submission submission) {
    held -= submission.bytes();
  }
}
