package dev.handoff.internal.facade.attempt;

import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.facade.NoticedAnswer;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.ChangeAnswer;
import dev.handoff.plan.ChangeRefusedException;
import dev.handoff.plan.PlanChanges;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Ordered queue of changes on their way into a changeset. The first thread that enters drains the
/// queue for all others, so the drained state needs no lock. This thread belongs to the handler, or
/// to the engine's answer threads.
final class OrderedChanges {

  private static final long MOST_BYTES = 4 << 20;

  /// Size of an entry without its path, in bytes.
  private static final int ENTRY_BYTES = 200;

  private final String changeset;
  private final InstantSource clock;
  private final Supplier<@Nullable String> over;
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger work = new AtomicInteger();
  private final CompletableFuture<List<ChangeEntry>> end = new CompletableFuture<>();

  private volatile boolean closing;
  private volatile int size;
  private volatile long bytes;

  private final List<ChangeEntry> entries = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private String seal;
  private boolean closed;

  /// @param last whether this element closes the queue
  private record Waiting(
      CompletableFuture<ContentKeeper.Kept> contents, NoticedAnswer answer, boolean last) {}

  /// @param late whether the handler had returned before
  private record Refusal(NoticedAnswer told, ChangeAnswer answer, boolean late) {
    boolean isUnseen() {
      return late || !told.isNoticed();
    }
  }

  /// @param over gives the reason why the attempt records no more; null while it records
  OrderedChanges(String changeset, InstantSource clock, Supplier<@Nullable String> over) {
    this.changeset = changeset;
    this.clock = clock;
    this.over = over;
    this.seal = ChainHash.first(changeset);
  }

  /// Adds changes. Their place is fixed now; they are accepted when their contents are stored.
  ///
  /// @param contents stage that never fails
  CompletionStage<ChangeAnswer> add(CompletableFuture<ContentKeeper.Kept> contents) {
    var answer = new NoticedAnswer();
    add(new Waiting(contents, answer, false));
    return answer;
  }

  /// Closes the queue. The stage completes with all accepted entries once all contents are stored.
  /// It fails if a change was refused and the handler has not read the answer.
  CompletionStage<List<ChangeEntry>> close() {
    closing = true;
    add(
        new Waiting(
            CompletableFuture.completedFuture(new ContentKeeper.Named(List.of())),
            new NoticedAnswer(),
            true));
    return end;
  }

  /// Whether changes of these files exceed the limits, as far as known before their contents are
  /// stored.
  boolean isFull(List<String> paths) {
    return size + paths.size() > PlanChanges.MOST || bytes + bytes(paths) > MOST_BYTES;
  }

  private static long bytes(List<String> paths) {
    return paths.stream().mapToLong(path -> ENTRY_BYTES + SafeText.bytes(path)).sum();
  }

  ChangeAnswer full() {
    return new ChangeAnswer.Full(
        "an attempt records at most %d changes, or %d bytes of paths and hashes: it has %d; divide"
                .formatted(PlanChanges.MOST, MOST_BYTES, size)
            + " the work into steps");
  }

  private void add(Waiting next) {
    waiting.add(next);
    if (next.contents().isDone()) {
      work();
    } else {
      next.contents().whenCompleteAsync((kept, failure) -> work(), CallbackThreads.answers());
    }
  }

  private void work() {
    if (work.getAndIncrement() == 0) {
      int seen = 1;
      while (seen != 0) {
        takeAll();
        seen = work.addAndGet(-seen);
      }
    }
  }

  private void takeAll() {
    for (var next = waiting.peek();
        next != null && next.contents().isDone();
        next = waiting.peek()) {
      waiting.remove();
      if (next.last()) {
        end();
      } else {
        answer(next, take(next.contents().join()));
      }
    }
  }

  private void answer(Waiting next, ChangeAnswer answer) {
    if (!(answer instanceof ChangeAnswer.Recorded)) {
      refusals.add(new Refusal(next.answer(), answer, closing));
    }
    next.answer().complete(answer);
  }

  private ChangeAnswer take(ContentKeeper.Kept contents) {
    var reason = closed ? "the handler has returned: what it changes now is dropped" : over.get();
    if (reason != null) {
      return new ChangeAnswer.Refused(reason);
    }
    return switch (contents) {
      case ContentKeeper.NotKept(var answer) -> answer;
      case ContentKeeper.Named(var changes) when isFull(paths(changes)) -> full();
      case ContentKeeper.Named(var changes) -> {
        changes.forEach(this::take);
        yield new ChangeAnswer.Recorded(changeset, size);
      }
    };
  }

  private static List<String> paths(List<FileEdit> changes) {
    return changes.stream().map(FileEdit::path).toList();
  }

  private void take(FileEdit change) {
    var entry =
        ChangeEntry.after(seal, change.path(), change.before(), change.after(), clock.instant());
    seal = entry.seal();
    entries.add(entry);
    size = entries.size();
    bytes += ENTRY_BYTES + SafeText.bytes(change.path());
  }

  private void end() {
    closed = true;
    refusals.stream()
        .filter(Refusal::isUnseen)
        .findFirst()
        .ifPresentOrElse(
            lost -> end.completeExceptionally(lost(lost.answer())),
            () -> end.complete(List.copyOf(entries)));
  }

  private static IllegalStateException lost(ChangeAnswer answer) {
    try {
      answer.orThrow();
      throw new AssertionError(answer);
    } catch (ChangeRefusedException refused) {
      return new IllegalStateException(
          "a change was not recorded, and the handler has not asked for the answer: "
              + refused.getMessage(),
          refused);
    }
  }
}
