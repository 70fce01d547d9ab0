package dev.handoff.chaos;

import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.StoreAround;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Stores that break the engine's assumptions. With each of them the checks must fail; otherwise
/// the checks prove nothing.
final class UnprotectedStore {

  private UnprotectedStore() {}

  /// Acknowledges all batches, but writes none from the first batch with a given kind of fact on. A
  /// restart knows nothing of these acknowledged facts.
  static final class LyingStore extends StoreAround {

    private final String fact;
    private final AtomicBoolean lies = new AtomicBoolean();

    /// @param fact stored name of the fact
    LyingStore(Store inner, String fact) {
      super(inner);
      this.fact = fact;
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      if (HaltingStore.tells(batch, fact)) {
        lies.set(true);
      }
      return lies.get()
          ? CompletableFuture.completedStage(new WriteResult.Written(batch.seq()))
          : super.write(batch);
    }
  }

  /// Acknowledges all batches, but writes only the first few.
  static final class ForgetfulStore extends StoreAround {

    private final AtomicInteger left;

    ForgetfulStore(Store inner, int batches) {
      super(inner);
      left = new AtomicInteger(batches);
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      return left.decrementAndGet() >= 0
          ? super.write(batch)
          : CompletableFuture.completedStage(new WriteResult.Written(batch.seq()));
    }
  }

  /// Lets every engine append after the last writer, in PostgreSQL.
  static final class FencelessStore extends StoreAround {

    private final String url;

    FencelessStore(Store inner, String url) {
      super(inner);
      this.url = url;
    }

    @Override
    public CompletionStage<WriteResult> write(StoreBatch batch) {
      return super.write(next(batch))
          .thenCompose(
              answer ->
                  switch (answer) {
                    // Another engine has taken over during the write.
                    case WriteResult.Fenced fenced -> write(batch);
                    case WriteResult.Written other ->
                        CompletableFuture.completedStage(new WriteResult.Written(batch.seq()));
                    case WriteResult same -> CompletableFuture.completedStage(same);
                  });
    }

    private StoreBatch next(StoreBatch batch) {
      try (var connection = DriverManager.getConnection(url);
          var statement =
              connection.prepareStatement(
                  "SELECT incarnation, seq FROM handoff_partition WHERE id = ?")) {
        statement.setInt(1, batch.partition());
        try (var row = statement.executeQuery()) {
          row.next();
          return new StoreBatch(
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
