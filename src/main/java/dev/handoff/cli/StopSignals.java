package dev.handoff.cli;

import java.util.List;
import java.util.function.Consumer;
import org.jline.utils.Signals;

/// Requests to stop, from the keyboard or from another program, passed on instead of ending the
/// process.
final class StopSignals implements AutoCloseable {

  private record Registered(String signal, Object former) {}

  private final List<Registered> registered;

  private StopSignals(List<Registered> registered) {
    this.registered = registered;
  }

  /// @param receiver told the name of each signal, on a thread of the JVM
  static StopSignals passTo(Consumer<String> receiver) {
    return new StopSignals(
        List.of("INT", "TERM", "HUP").stream()
            .map(
                signal ->
                    new Registered(signal, Signals.register(signal, () -> receiver.accept(signal))))
            .toList());
  }

  /// Gives the signals back their usual effect.
  @Override
  public void close() {
    registered.forEach(one -> Signals.unregister(one.signal(), one.former()));
  }
}
