package dev.handoff.testing;

import dev.handoff.job.JobId;
import dev.handoff.plan.PlanId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// What callers and attempts were told of their changes: the material of [PlanInvariants]. From any
/// thread. Every change has a path of its own, by which it is known again.
public final class ChangeHistory {

  /// Something that was seen.
  public sealed interface Entry {}

  /// A caller is about to record a change.
  public record Asked(PlanId plan, String path) implements Entry {}

  /// A caller was told where his change is.
  ///
  /// @param place from 1
  public record Recorded(PlanId plan, String path, String changeset, int place) implements Entry {}

  /// A caller was told that his change is nowhere.
  public record Refused(PlanId plan, String path) implements Entry {}

  /// A caller was told that his changeset is committed.
  public record Closed(PlanId plan, String changeset) implements Entry {}

  /// A caller is about to discard a changeset.
  public record Discarding(PlanId plan, String changeset) implements Entry {}

  /// A caller was told that it is gone.
  public record Discarded(PlanId plan, String changeset) implements Entry {}

  /// An attempt was told that its change goes with its success.
  public record Made(JobId job, int attempt, String path) implements Entry {}

  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final Consumer<Entry> listener;

  public ChangeHistory() {
    this(entry -> {});
  }

  /// @param listener is told of each entry before whoever adds it goes on
  public ChangeHistory(Consumer<Entry> listener) {
    this.listener = listener;
  }

  public void add(Entry entry) {
    entries.add(entry);
    listener.accept(entry);
  }

  /// Everything of a kind up to now.
  public <T extends Entry> List<T> all(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
