package dev.handoff;

import dev.handoff.store.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// SIGNATURES - implementation by the lead is on its way
public final class HandoffBuilder {

  /// Runs jobs of a type with a handler; the payload is read as the given class.
  public <T> HandoffBuilder handler(String type, Class<T> payload, JobHandler<T> handler) {
    return this;
  }

  /// The directory of the embedded file store; `./handoff-data` by default.
  public HandoffBuilder directory(Path directory) {
    return this;
  }

  /// PostgreSQL instead of the file store.
  public HandoffBuilder postgres(String jdbcUrl, String user, String password) {
    return this;
  }

  /// Any store.
  public HandoffBuilder store(StoreSettings.Kind store) {
    return this;
  }

  public HandoffBuilder workers(int count) {
    return this;
  }

  public HandoffBuilder partitions(int count) {
    return this;
  }

  /// How long [Handoff#close] lets running attempts go on.
  public HandoffBuilder shutdownGrace(Duration time) {
    return this;
  }

  /// Called once if the engine goes down by itself.
  public HandoffBuilder onDown(Consumer<String> listener) {
    return this;
  }

  public Handoff start() {
    throw new IllegalStateException();
  }
}
