package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.HandoffReader;
import dev.handoff.StartException;
import dev.handoff.store.StoreException;
import dev.handoff.store.StoreSettings;
import java.util.function.Supplier;

/// Starts an engine on a store, whatever number of partitions that was made with.
final class RunEngine {

  private RunEngine() {}

  /// @throws StoreException if the store cannot be opened
  /// @throws CommandFailedException if the engine cannot be started on it
  static Handoff start(StoreSettings.Kind kind, Supplier<HandoffBuilder> settings) {
    try {
      return settings.get().store(kind).start();
    } catch (StoreException.Unfit other) {
      return settings.get().store(kind).partitions(partitions(kind, other)).start();
    } catch (StartException damaged) {
      throw new CommandFailedException(ExitCode.FAILED, damaged.getMessage());
    }
  }

  /// How many the store has, if it can be seen; otherwise it is something else that does not fit.
  private static int partitions(StoreSettings.Kind kind, StoreException.Unfit refusal) {
    try (var reader = HandoffReader.open(kind)) {
      return reader.info().partitions();
    } catch (StoreException noStore) {
      throw refusal;
    }
  }
}
