package dev.handoff.internal.facade.attempt;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.plan.capture.CapturedCopy;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.plan.Change;
import dev.handoff.plan.Content;
import dev.handoff.plan.WorkingCopy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Working copy whose differences become changes of an attempt.
final class AttemptCopy implements WorkingCopy {

  /// Maximum number of files per recorded batch, because their contents are held in memory.
  private static final int MOST = 200;

  private static final long MOST_BYTES = 8 << 20;

  private final CapturedCopy copy;
  private final AttemptChanges changes;
  private final CancellationToken stop;
  private final Consumer<List<String>> leftOut;
  private final AtomicBoolean recorded = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /// @param leftOut receives the names of files that are not recorded, if there are any
  AttemptCopy(
      CapturedCopy copy,
      AttemptChanges changes,
      CancellationToken stop,
      Consumer<List<String>> leftOut) {
    this.copy = copy;
    this.changes = changes;
    this.stop = stop;
    this.leftOut = leftOut;
  }

  @Override
  public Path path() {
    return copy.path();
  }

  @Override
  public int record() throws InterruptedException {
    if (recorded.getAndSet(true)) {
      throw new IllegalStateException("the working copy has been recorded already");
    }
    boolean done = false;
    try {
      int count = recordAll();
      done = true;
      return count;
    } finally {
      if (!done) {
        changes.spoil("what changed in its working copy was not recorded");
      }
    }
  }

  private int recordAll() throws InterruptedException {
    int count = 0;
    long bytes = 0;
    var batch = new ArrayList<Change>();
    var altered = copy.altered();
    if (!copy.leftOut().isEmpty()) {
      leftOut.accept(copy.leftOut());
    }
    for (var file : altered) {
      stop.throwIfCancelled();
      var change = change(file);
      if (change.isPresent()) {
        batch.add(change.get());
        bytes += length(change.get().before()) + length(change.get().after());
        count++;
      }
      if (batch.size() >= MOST || bytes >= MOST_BYTES) {
        record(batch);
        batch.clear();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      record(batch);
    }
    return count;
  }

  private static int length(@Nullable Content content) {
    return content instanceof Content.Bytes bytes ? bytes.length() : 0;
  }

  private void record(List<Change> batch) throws InterruptedException {
    changes.recordPatiently(batch).orThrow();
  }

  /// Change of a file; empty if the file has its old content again since the comparison.
  private Optional<Change> change(CapturedCopy.Altered file) throws InterruptedException {
    var path = file.path();
    var after = file.after() == null ? null : copy.after(file);
    if (after == null) {
      return file.before() == null
          ? Optional.empty()
          : Optional.of(new Change.Delete(path, before(file)));
    }
    if (file.before() == null) {
      return Optional.of(new Change.Create(path, Content.of(after)));
    }
    return ChainHash.of(after).equals(file.before())
        ? Optional.empty()
        : Optional.of(new Change.Modify(path, before(file), Content.of(after)));
  }

  private Content before(CapturedCopy.Altered file) throws InterruptedException {
    return copy.isStored(file) ? Content.stored(file.before()) : Content.of(copy.before(file));
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      copy.close();
    }
  }
}
