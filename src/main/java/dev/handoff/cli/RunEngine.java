package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.StartException;
import dev.handoff.store.StoreException;
import dev.handoff.store.StoreSettings;
import java.util.function.Supplier;

/// Starts an engine on a store.
final class RunEngine {

  private RunEngine() {}

  /// @throws StoreException if the store cannot be opened
  /// @throws CommandFailedException if the engine cannot be started on it
  static Handoff start(StoreSettings.Kind kind, Supplier<HandoffBuilder> settings) {
    try {
      return settings.get().store(kind).start();
    } catch (StartException damaged) {
      throw new CommandFailedException(ExitCode.FAILED, damaged.getMessage());
    }
  }
}
