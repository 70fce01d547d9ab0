package dev.handoff.job;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a job has left behind on its way: past attempts, log lines, the last progress and checkpoint, its children.
/// Most jobs that wait have none of it and share [#NONE].
public record Trail(
    List<AttemptRecord> attempts,
    List<String> log,
    @Nullable Progress progress,
    @Nullable Json checkpoint,
    List<Child> children) {

  public static final Trail NONE = new Trail(List.of(), List.of(), null, null, List.of());

  static final int MAX_LOG_LINES = 100;
  static final int MAX_LOG_LINE = 1024;
  static final int MAX_ATTEMPTS = 100;
  private static final int ATTEMPTS_IN_FULL = 3;

  public Trail {
    attempts = List.copyOf(attempts);
    log = List.copyOf(log);
    children = List.copyOf(children);
  }

  /// Adds an ended attempt. Old ones lose their stack traces, very old ones go, so that a job that is retried for
  /// months stays small.
  Trail plus(AttemptRecord attempt) {
    var kept = new ArrayList<AttemptRecord>(attempts);
    if (kept.size() >= MAX_ATTEMPTS) {
      kept.remove(1);
    }
    kept.add(attempt);
    int old = kept.size() - ATTEMPTS_IN_FULL - 1;
    if (old >= 0) {
      kept.set(old, kept.get(old).brief());
    }
    return new Trail(kept, log, progress, checkpoint, children);
  }

  Trail withLate(int number, String what) {
    var marked = attempts.stream().map(a -> a.number() == number ? a.withLate(what) : a).toList();
    return new Trail(marked, log, progress, checkpoint, children);
  }

  Trail plusNotes(Notes notes) {
    if (notes.equals(Notes.NONE)) {
      return this;
    }
    var lines = new ArrayList<>(log);
    lines.addAll(notes.log());
    var newest = lines.subList(Math.max(0, lines.size() - MAX_LOG_LINES), lines.size());
    return new Trail(
        attempts, newest, notes.progress() == null ? progress : notes.progress(), checkpoint, children);
  }

  Trail withCheckpoint(Json value) {
    return new Trail(attempts, log, progress, value, children);
  }

  Trail plus(Child child) {
    var all = new ArrayList<>(children);
    all.add(child);
    return new Trail(attempts, log, progress, checkpoint, all);
  }

  /// The child that was submitted under a key; null if there is none.
  @Nullable Child childWithKey(@Nullable String key) {
    return children.stream()
        .filter(child -> key != null && key.equals(child.key()))
        .findFirst()
        .orElse(null);
  }
}
