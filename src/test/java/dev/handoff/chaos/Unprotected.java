package dev.handoff.chaos;

import dev.handoff.store.Batch;
import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.StoreAround;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Stores that do not do what the engine relies on: with each of them the checks must fail, or they
/// prove nothing.
final class Unprotected {

  private Unprotected() {}

  /// Says that batches are durable, and writes none of them from the first one on that tells a fact
  /// of a kind: whoever was told of it since has heard what a restart knows nothing of.
  static final class LyingStore extends StoreAround {

    private final String fact;
    private final AtomicBoolean lies = new AtomicBoolean();

    /// @param fact the name that it is stored with
    LyingStore(Store inner, String fact) {
      super(inner);
      this.fact = fact;
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
      if (HaltingStore.tells(batch, fact)) {
        lies.set(true);
      }
      return lies.get()
          ? CompletableFuture.completedStage(new WriteResult.Written(batch.seq()))
          : super.write(batch);
    }
  }

  /// Says that a batch is durable, and writes none but the first few.
  static final class ForgetfulStore extends StoreAround {

    private final AtomicInteger left;

    ForgetfulStore(Store inner, int batches) {
      super(inner);
      left = new AtomicInteger(batches);
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
      return left.decrementAndGet() >= 0
          ? super.write(batch)
          : CompletableFuture.completedStage(new WriteResult.Written(batch.seq()));
    }
  }

  /// Lets everybody write behind whoever has written last, in PostgreSQL.
  static final class FencelessStore extends StoreAround {

    private final String url;

    FencelessStore(Store inner, String url) {
      super(inner);
      this.url = url;
    }

    @Override
    public CompletionStage<WriteResult> write(Batch batch) {
      return super.write(next(batch))
          .thenCompose(
              answer ->
                  switch (answer) {
                    // It was under way while the other one took over.
                    case WriteResult.Fenced fenced -> write(batch);
                    case WriteResult.Written other ->
                        CompletableFuture.completedStage(new WriteResult.Written(batch.seq()));
                    case WriteResult same -> CompletableFuture.completedStage(same);
                  });
    }

    private Batch next(Batch batch) {
      try (var connection = DriverManager.getConnection(url);
          var statement =
              connection.prepareStatement(
                  "SELECT incarnation, seq FROM handoff_partition WHERE id = ?")) {
        statement.setInt(1, batch.partition());
        try (var row = statement.executeQuery()) {
          row.next();
          return new Batch(
              batch.partition(),
              row.getLong(1),
              row.getLong(2) + 1,
              batch.facts(),
              batch.ended(),
              batch.reopened());
        }
      } catch (SQLException failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
