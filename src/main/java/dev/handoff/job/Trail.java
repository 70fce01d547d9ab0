package dev.handoff.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a job has left behind on its way: past attempts, log lines, the last progress and
/// checkpoint, its children. Most jobs that wait have none of it and share [#NONE].
///
/// @param reopenings when and by whom the job was opened again
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Trail(
    List<AttemptRecord> attempts,
    List<String> log,
    @Nullable Progress progress,
    @Nullable Json checkpoint,
    List<Child> children,
    List<Reopening> reopenings) {

  public static final Trail NONE =
      new Trail(List.of(), List.of(), null, null, List.of(), List.of());

  static final int MAX_LOG_LINES = 100;
  static final int MAX_LOG_LINE = 1024;
  static final int MAX_ATTEMPTS = 100;
  static final int MAX_CHILDREN = 10_000;
  static final int MAX_REOPENINGS = 100;

  /// What the end of a job writes holds all of its children, and what is larger than a ledger's
  /// `max-append` cannot be written: 1.75 million characters leave 3 MiB for the rest.
  static final int MAX_CHILD_KEYS = 1_750_000;

  private static final int ATTEMPTS_IN_FULL = 3;

  public Trail {
    attempts = copy(attempts);
    log = copy(log);
    children = copy(children);
    reopenings = copy(reopenings);
  }

  /// Nothing is stored of an empty list, so that it is read as null.
  static <T> List<T> copy(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /// Adds an ended attempt. Old ones lose their stack traces, very old ones go, so that a job that
  /// is retried for months stays small.
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
    return new Trail(kept, log, progress, checkpoint, children, reopenings);
  }

  Trail withLate(int number, String what) {
    var marked = attempts.stream().map(a -> a.number() == number ? a.withLate(what) : a).toList();
    return new Trail(marked, log, progress, checkpoint, children, reopenings);
  }

  Trail plusNotes(Notes notes) {
    if (notes.equals(Notes.NONE)) {
      return this;
    }
    var lines = new ArrayList<>(log);
    lines.addAll(notes.log());
    var newest = lines.subList(Math.max(0, lines.size() - MAX_LOG_LINES), lines.size());
    return new Trail(
        attempts,
        newest,
        notes.progress() == null ? progress : notes.progress(),
        checkpoint,
        children,
        reopenings);
  }

  /// How far the former attempt came says nothing of the next one.
  Trail withoutProgress() {
    return progress == null
        ? this
        : new Trail(attempts, log, null, checkpoint, children, reopenings);
  }

  Trail withCheckpoint(Json value) {
    return new Trail(attempts, log, progress, value, children, reopenings);
  }

  Trail plus(Child child) {
    var all = new ArrayList<>(children);
    all.add(child);
    return new Trail(attempts, log, progress, checkpoint, all, reopenings);
  }

  /// Whether there is room for another child.
  boolean hasRoomFor(Child child) {
    long keys = length(child);
    for (var each : children) {
      keys += length(each);
    }
    return children.size() < MAX_CHILDREN && keys <= MAX_CHILD_KEYS;
  }

  private static int length(Child child) {
    return child.key() == null ? 0 : child.key().length();
  }

  /// Adds a retry by an operator. The children of a cancelled job were cancelled with it: the next
  /// attempt submits its own.
  Trail plus(Reopening reopening, boolean keepsChildren) {
    var all = new ArrayList<>(reopenings);
    all.add(reopening);
    var newest = all.subList(Math.max(0, all.size() - MAX_REOPENINGS), all.size());
    return new Trail(
        attempts, log, progress, checkpoint, keepsChildren ? children : List.of(), newest);
  }

  /// The record of an attempt that is over; null if there is none, or not any more.
  @Nullable AttemptRecord attempt(int number) {
    return attempts.stream().filter(record -> record.number() == number).findFirst().orElse(null);
  }

  /// The child that was submitted under a key; null if there is none.
  @Nullable Child childWithKey(@Nullable String key) {
    return children.stream()
        .filter(child -> key != null && key.equals(child.key()))
        .findFirst()
        .orElse(null);
  }

  /// Leaves the empty trail out of what is stored.
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
