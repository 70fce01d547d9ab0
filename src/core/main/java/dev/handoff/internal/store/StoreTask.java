package dev.handoff.internal.store;

import dev.handoff.StoreException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Request to an executor, with its answer. Mutable fields belong to the executor's thread.
///
/// Every task can be repeated: reads change nothing, batches are conditional on their sequence
/// number, and all else is idempotent. After a lost session a task runs again on a new one, and
/// finds the result of its first run itself.
public final class StoreTask<S, T> implements StoreExecutor.Message<S> {

  public interface Work<S, T> {
    public T run(S session) throws SQLException;

    /// Batch that this task writes; null for other tasks, and for a batch that cannot be stored.
    default @Nullable StoreBatch batch() {
      return null;
    }

    /// Size within a transaction in bytes, for tasks that may be large.
    default long bytes() {
      return 0;
    }
  }

  private final String what;
  private final Work<? super S, T> work;
  private final Function<DatabaseFailure, T> orElse;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable RuntimeException failure;

  /// @param what description for messages: `writing batch 7 of partition 2`
  /// @param orElse maps the failure to an answer, or throws
  public StoreTask(String what, Work<? super S, T> work, Function<DatabaseFailure, T> orElse) {
    this.what = what;
    this.work = work;
    this.orElse = orElse;
  }

  CompletableFuture<T> answer() {
    return answer;
  }

  String what() {
    return what;
  }

  public @Nullable StoreBatch batch() {
    return work.batch();
  }

  long bytes() {
    return work.bytes();
  }

  /// Runs the task without answering: the result may not be durable yet.
  public void run(S session) throws SQLException {
    result = null;
    failure = null;
    try {
      result = work.run(session);
    } catch (StoreException refusal) {
      failure = refusal;
    }
  }

  /// Sets this failure as the answer, to be sent with the answers of the group.
  public void refuse(DatabaseFailure trouble) {
    try {
      result = orElse.apply(trouble);
    } catch (RuntimeException refusal) {
      failure = refusal;
    }
  }

  boolean isTold() {
    return answer.isDone();
  }

  public void tell() {
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(result);
    }
  }

  void fail(DatabaseFailure trouble) {
    refuse(trouble);
    tell();
  }
}
