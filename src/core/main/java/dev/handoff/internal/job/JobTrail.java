package dev.handoff.internal.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Traces of a job's life: past attempts, log lines, last progress and checkpoint, children. Most
/// waiting jobs have none of them and share [#NONE].
///
/// @param reopenings retries by operators
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record JobTrail(
    List<AttemptRecord> attempts,
    List<String> log,
    @Nullable Progress progress,
    @Nullable Json checkpoint,
    List<ChildJob> children,
    List<OperatorRetry> reopenings) {

  public static final JobTrail NONE =
      new JobTrail(List.of(), List.of(), null, null, List.of(), List.of());

  static final int MAX_LOG_LINES = 100;
  static final int MAX_LOG_LINE = 1024;
  static final int MAX_ATTEMPTS = 100;
  static final int MAX_CHILDREN = 10_000;
  static final int MAX_REOPENINGS = 100;

  /// Limit for all child keys together. The append of a job's end contains all children and must
  /// fit into the ledger's `max-append`: 1.75 million characters leave 3 MiB for the rest.
  static final int MAX_CHILD_KEYS = 1_750_000;

  private static final int ATTEMPTS_IN_FULL = 3;

  public JobTrail {
    attempts = copy(attempts);
    log = copy(log);
    children = copy(children);
    reopenings = copy(reopenings);
  }

  /// An empty list is not stored, so the codec reads null.
  static <T> List<T> copy(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /// Adds an ended attempt. Old attempts lose their stack traces and very old ones are removed, so
  /// that a job that is retried for months stays small.
  JobTrail plus(AttemptRecord attempt) {
    var kept = new ArrayList<AttemptRecord>(attempts);
    if (kept.size() >= MAX_ATTEMPTS) {
      kept.remove(1);
    }
    kept.add(attempt);
    int old = kept.size() - ATTEMPTS_IN_FULL - 1;
    if (old >= 0) {
      kept.set(old, kept.get(old).brief());
    }
    return new JobTrail(kept, log, progress, checkpoint, children, reopenings);
  }

  JobTrail withLate(int number, String what) {
    var marked = attempts.stream().map(a -> a.number() == number ? a.withLate(what) : a).toList();
    return new JobTrail(marked, log, progress, checkpoint, children, reopenings);
  }

  JobTrail plusNotes(AttemptNotes notes) {
    if (notes.equals(AttemptNotes.NONE)) {
      return this;
    }
    var lines = new ArrayList<>(log);
    lines.addAll(notes.log());
    var newest = lines.subList(Math.max(0, lines.size() - MAX_LOG_LINES), lines.size());
    return new JobTrail(
        attempts,
        newest,
        notes.progress() == null ? progress : notes.progress(),
        checkpoint,
        children,
        reopenings);
  }

  /// Removes the former attempt's progress, which says nothing about the next attempt.
  JobTrail withoutProgress() {
    return progress == null
        ? this
        : new JobTrail(attempts, log, null, checkpoint, children, reopenings);
  }

  JobTrail withCheckpoint(Json value) {
    return new JobTrail(attempts, log, progress, value, children, reopenings);
  }

  JobTrail plus(ChildJob child) {
    var all = new ArrayList<>(children);
    all.add(child);
    return new JobTrail(attempts, log, progress, checkpoint, all, reopenings);
  }

  /// Whether another child fits.
  boolean hasRoomFor(ChildJob child) {
    long keys = length(child);
    for (var each : children) {
      keys += length(each);
    }
    return children.size() < MAX_CHILDREN && keys <= MAX_CHILD_KEYS;
  }

  private static int length(ChildJob child) {
    return child.key() == null ? 0 : child.key().length();
  }

  /// Adds an operator's retry. Children of a cancelled job were cancelled too, so the next attempt
  /// submits its own.
  JobTrail plus(OperatorRetry reopening, boolean keepsChildren) {
    var all = new ArrayList<>(reopenings);
    all.add(reopening);
    var newest = all.subList(Math.max(0, all.size() - MAX_REOPENINGS), all.size());
    return new JobTrail(
        attempts, log, progress, checkpoint, keepsChildren ? children : List.of(), newest);
  }

  /// Record of an ended attempt; null if unknown or removed.
  @Nullable AttemptRecord attempt(int number) {
    return attempts.stream().filter(record -> record.number() == number).findFirst().orElse(null);
  }

  /// Child with a given key; null if none.
  @Nullable ChildJob childWithKey(@Nullable String key) {
    return children.stream()
        .filter(child -> key != null && key.equals(child.key()))
        .findFirst()
        .orElse(null);
  }

  /// Filter that omits the empty trail from the stored form.
  static final class Nothing {
    @Override
    public boolean equals(Object other) {
      return NONE.equals(other);
    }

    @Override
    public int hashCode() {
      return NONE.hashCode();
    }
  }
}
