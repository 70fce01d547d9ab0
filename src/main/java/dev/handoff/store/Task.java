package dev.handoff.store;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One thing that a lane is asked to do, and the answer that it owes. Only the lane's thread
/// touches what changes.
///
/// Everything that a store does may be done again: reads change nothing, a write is conditional on
/// its sequence number, and the rest is idempotent. So a task whose session broke is run again on a
/// new one, and finds out by itself what the first run did.
final class Task<S, T> implements Lane.Message<S> {

  interface Work<S, T> {
    T run(S session) throws SQLException;

    /// The batch that this writes; null if it does something else, or it cannot be stored.
    default @Nullable Batch batch() {
      return null;
    }

    /// How many bytes it puts into a transaction, if it can be many.
    default long bytes() {
      return 0;
    }
  }

  private final String what;
  private final Work<? super S, T> work;
  private final Function<Trouble, T> orElse;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable RuntimeException failure;

  /// @param what what it does, for messages: `writing batch 7 of partition 2`
  /// @param orElse the answer when there is trouble; throws when trouble is not an answer
  Task(String what, Work<? super S, T> work, Function<Trouble, T> orElse) {
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

  @Nullable Batch batch() {
    return work.batch();
  }

  long bytes() {
    return work.bytes();
  }

  /// Does it, and keeps the result to itself: it may not be durable yet.
  void run(S session) throws SQLException {
    result = null;
    failure = null;
    try {
      result = work.run(session);
    } catch (StoreException refusal) {
      failure = refusal;
    }
  }

  /// Decides that the answer is this trouble, to be told with the others of its group.
  void refuse(Trouble trouble) {
    try {
      result = orElse.apply(trouble);
    } catch (RuntimeException refusal) {
      failure = refusal;
    }
  }

  boolean isTold() {
    return answer.isDone();
  }

  void tell() {
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(result);
    }
  }

  void fail(Trouble trouble) {
    refuse(trouble);
    tell();
  }
}
