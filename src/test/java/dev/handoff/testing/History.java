package dev.handoff.testing;

import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.job.JobSpec;
import dev.handoff.job.JobState;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// What clients, handlers and the ledger saw, in one order: the material of [Invariants]. From any
/// thread; made of several processes' notes afterwards, in the order of their common file.
///
/// Whoever writes here writes first and acts then when something begins (`entered` before the
/// work), and acts first and writes then when something ends (`left` after the work): so nothing
/// that is seen here to overlap could have been in order, and the other way round.
public final class History {

  /// Something that was seen.
  public sealed interface Entry {}

  /// A client was told that its job is durable, or was before.
  public record Accepted(JobId job, JobSpec spec) implements Entry {}

  /// A client was not told what became of its submission.
  public record Unanswered(JobSpec spec) implements Entry {}

  /// A client was told that a job has ended, and how.
  public record Told(JobState state) implements Entry {}

  /// A handler was called.
  public record Entered(JobId job, int attempt) implements Entry {}

  /// A handler is about to return.
  public record Left(JobId job, int attempt) implements Entry {}

  /// Something that is limited is in use, or is not any more.
  ///
  /// @param change +1 or -1
  public record Used(String queue, int change) implements Entry {}

  /// A fact is durable.
  public record Written(JobId job, JobFact fact) implements Entry {}

  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final Consumer<Entry> listener;

  public History() {
    this(entry -> {});
  }

  /// @param listener is told of each entry before whoever writes it goes on
  public History(Consumer<Entry> listener) {
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

  /// Everything up to now.
  public List<Entry> entries() {
    return List.copyOf(entries);
  }

  /// Everything of a kind up to now.
  public <T extends Entry> List<T> all(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /// How many facts of a kind there were: whether what a test is about has happened at all.
  public long count(Class<? extends JobFact> kind) {
    return all(Written.class).stream().filter(one -> kind.isInstance(one.fact())).count();
  }
}
