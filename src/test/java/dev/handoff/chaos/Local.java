package dev.handoff.chaos;

import dev.handoff.Around;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.store.Store;
import dev.handoff.store.StoreSettings;
import dev.handoff.testing.Soon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/// A service like [Service], in the JVM of the test: for faults of the store, which no process has
/// to die for.
final class Local implements AutoCloseable {

  private final Path path;
  private final StoreSettings.Kind store;
  private final Work.Bench bench;
  private final Handoff handoff;
  private final Client client;
  private CompletableFuture<Void> submitted = CompletableFuture.completedFuture(null);

  private Local(Path path, StoreSettings.Kind store, UnaryOperator<HandoffBuilder> more) {
    try {
      this.path = path;
      this.store = store;
      var journal = Journal.silent(path);
      bench = new Work.Bench(journal);
      handoff = bench.start(more.apply(bench.furnish(Handoff.builder().store(store))));
      client = new Client(handoff, journal);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static Local start(Path journal, StoreSettings.Kind store) {
    return start(journal, store, UnaryOperator.identity());
  }

  /// @param around put around the store
  static Local around(Path journal, StoreSettings.Kind store, UnaryOperator<Store> around) {
    return start(journal, store, builder -> Around.store(builder, around));
  }

  static Local start(Path journal, StoreSettings.Kind store, UnaryOperator<HandoffBuilder> more) {
    return new Local(journal, store, more);
  }

  Handoff handoff() {
    return handoff;
  }

  Client client() {
    return client;
  }

  /// Submits beside the test.
  void work(String keys) {
    submitted =
        CompletableFuture.runAsync(
            () -> client.work(Client.keys(keys)), work -> Thread.ofVirtual().start(work));
  }

  boolean isWorking() {
    return !submitted.isDone();
  }

  long seen(Journal.What what) {
    return Journal.read(path).stream().filter(line -> line.what() == what).count();
  }

  /// Sees everything to its end, and says what was found.
  Evidence finish() {
    bench.release();
    Soon.get(submitted);
    client.finish(path);
    close();
    return Evidence.of(path, store);
  }

  @Override
  public void close() {
    handoff.close();
  }
}
