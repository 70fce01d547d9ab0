package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.Store;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.EngineHooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/// [ChaosService] in the test's JVM, for store faults that need no process death.
final class LocalService implements AutoCloseable {

  private final Path path;
  private final StoreSettings.Kind store;
  private final ChaosJobs.Bench bench;
  private final Handoff handoff;
  private final ChaosClient client;
  private CompletableFuture<Void> submitted = CompletableFuture.completedFuture(null);

  private LocalService(Path path, StoreSettings.Kind store, UnaryOperator<HandoffBuilder> more) {
    try {
      this.path = path;
      this.store = store;
      var journal = ClientJournal.silent(path);
      bench = new ChaosJobs.Bench(journal);
      handoff = bench.start(more.apply(bench.furnish(Handoff.builder().store(store))));
      client = new ChaosClient(handoff, journal);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static LocalService start(Path journal, StoreSettings.Kind store) {
    return start(journal, store, UnaryOperator.identity());
  }

  /// @param around wraps the store
  static LocalService around(Path journal, StoreSettings.Kind store, UnaryOperator<Store> around) {
    return start(journal, store, builder -> EngineHooks.store(builder, around));
  }

  static LocalService start(
      Path journal, StoreSettings.Kind store, UnaryOperator<HandoffBuilder> more) {
    return new LocalService(journal, store, more);
  }

  Handoff handoff() {
    return handoff;
  }

  ChaosClient client() {
    return client;
  }

  /// Submits jobs on a separate thread.
  void work(String keys) {
    submitted =
        CompletableFuture.runAsync(
            () -> client.work(ChaosClient.keys(keys)), work -> Thread.ofVirtual().start(work));
  }

  boolean isWorking() {
    return !submitted.isDone();
  }

  long seen(ClientJournal.What what) {
    return ClientJournal.read(path).stream().filter(line -> line.what() == what).count();
  }

  /// Waits for the end of all jobs, and returns the evidence.
  RunEvidence finish() {
    bench.release();
    BoundedWaits.get(submitted);
    client.finish(path);
    close();
    return RunEvidence.of(path, store);
  }

  @Override
  public void close() {
    handoff.close();
  }
}
