package dev.handoff.testing;

import dev.handoff.JobId;
import dev.handoff.plan.PlanId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// Observations of callers and attempts about their changes: the input of [PlanInvariants].
/// Thread-safe. Each change has a unique path, which identifies it.
public final class ChangeHistory {

  /// One observation.
  public sealed interface Entry {}

  /// A caller is about to record a change.
  public record Asked(PlanId plan, String path) implements Entry {}

  /// Reply to a caller: the change is recorded.
  ///
  /// @param place position in the changeset, from 1
  public record Recorded(PlanId plan, String path, String changeset, int place) implements Entry {}

  /// Reply to a caller: the change is not recorded.
  public record Refused(PlanId plan, String path) implements Entry {}

  /// Reply to a caller: the changeset is committed.
  public record Closed(PlanId plan, String changeset) implements Entry {}

  /// A caller is about to discard a changeset.
  public record Discarding(PlanId plan, String changeset) implements Entry {}

  /// Reply to a caller: the changeset is discarded.
  public record Discarded(PlanId plan, String changeset) implements Entry {}

  /// Reply to an attempt: the change will commit together with the attempt's success.
  public record Made(JobId job, int attempt, String path) implements Entry {}

  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final Consumer<Entry> listener;

  public ChangeHistory() {
    this(entry -> {});
  }

  /// @param listener called with each entry, before `add` returns
  public ChangeHistory(Consumer<Entry> listener) {
    this.listener = listener;
  }

  public void add(Entry entry) {
    entries.add(entry);
    listener.accept(entry);
  }

  /// All entries of a kind so far.
  public <T extends Entry> List<T> all(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
