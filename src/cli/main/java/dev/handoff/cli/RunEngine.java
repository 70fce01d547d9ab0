package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.StartException;
import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import java.util.function.Supplier;

/// Starts the engine of a command.
final class RunEngine {

  private RunEngine() {}

  /// @throws StoreException if the store cannot be opened
  /// @throws CommandFailedException if the engine cannot start on the store
  static Handoff start(StoreSettings.Kind kind, Supplier<HandoffBuilder> settings) {
    try {
      return settings.get().store(kind).start();
    } catch (StartException damaged) {
      throw new CommandFailedException(ExitCode.FAILED, damaged.getMessage());
    }
  }
}
