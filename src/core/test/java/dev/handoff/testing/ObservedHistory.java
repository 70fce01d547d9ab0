package dev.handoff.testing;

import dev.handoff.JobId;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// Observations of clients, handlers and the ledger in one order: the input of [HistoryInvariants].
/// Thread-safe. For several processes, built afterwards from the lines of their common journal.
///
/// The start of an action is recorded before the action (`entered` before the work), its end after
/// the action (`left` after the work). A recorded interval thus encloses the work and lies within
/// the handler's call: overlap here is overlap of calls, and order here is order of work.
public final class ObservedHistory {

  /// One observation.
  public sealed interface Entry {}

  /// Reply to a client: its job is durable, now or since an earlier submission.
  public record Accepted(JobId job, JobSpec spec) implements Entry {}

  /// A client received no answer to its submission.
  public record Unanswered(JobSpec spec) implements Entry {}

  /// Reply to a client: the job has ended, in this state.
  public record Told(JobState state) implements Entry {}

  /// A handler was called.
  public record Entered(JobId job, int attempt) implements Entry {}

  /// A handler is about to return.
  public record Left(JobId job, int attempt) implements Entry {}

  /// Use of a limited queue has begun or ended.
  ///
  /// @param change +1 or -1
  public record Used(String queue, int change) implements Entry {}

  /// A fact is durable.
  public record Written(JobId job, JobFact fact) implements Entry {}

  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final Consumer<Entry> listener;

  public ObservedHistory() {
    this(entry -> {});
  }

  /// @param listener called with each entry, before the recording method returns
  public ObservedHistory(Consumer<Entry> listener) {
    this.listener = listener;
  }

  private void add(Entry entry) {
    entries.add(entry);
    listener.accept(entry);
  }

  public void accepted(JobId job, JobSpec spec) {
    add(new Accepted(job, spec));
  }

  public void unanswered(JobSpec spec) {
    add(new Unanswered(spec));
  }

  public void told(JobState state) {
    add(new Told(state));
  }

  public void entered(JobId job, int attempt) {
    add(new Entered(job, attempt));
  }

  public void left(JobId job, int attempt) {
    add(new Left(job, attempt));
  }

  public void took(String queue) {
    add(new Used(queue, 1));
  }

  public void gave(String queue) {
    add(new Used(queue, -1));
  }

  public void written(JobId job, JobFact fact) {
    add(new Written(job, fact));
  }

  /// All entries so far.
  public List<Entry> entries() {
    return List.copyOf(entries);
  }

  /// All entries of a kind so far.
  public <T extends Entry> List<T> all(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /// Number of facts of a kind: shows whether the tested situation occurred at all.
  public long count(Class<? extends JobFact> kind) {
    return all(Written.class).stream().filter(one -> kind.isInstance(one.fact())).count();
  }
}
