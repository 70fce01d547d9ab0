package dev.handoff.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/// Requests to stop, from the keyboard or from another program, passed on instead of ending the
/// process. The first is for the command, which puts away what it has; a second one ends the
/// process at once, whatever the command waits for. A terminal that is closed says so more than
/// once, and nobody who waits is left there: that counts once.
final class StopSignals implements AutoCloseable {

  private static final Duration LONGEST_WORDS = Duration.ofSeconds(1);

  private record Registered(String signal, Object former) {}

  private final Consumer<String> receiver;
  private final Runnable lastWords;
  private final IntConsumer halt;
  private List<Registered> registered = List.of();
  private final AtomicReference<@Nullable String> first = new AtomicReference<>();

  /// @param halt ends the process with an exit code
  StopSignals(Consumer<String> receiver, Runnable lastWords, IntConsumer halt) {
    this.receiver = receiver;
    this.lastWords = lastWords;
    this.halt = halt;
  }

  /// @param receiver told the name of the first signal, on a thread of the JVM
  /// @param lastWords says what becomes of what was running, when a second one ends the process
  static StopSignals passTo(Consumer<String> receiver, Runnable lastWords) {
    var signals = new StopSignals(receiver, lastWords, Runtime.getRuntime()::halt);
    signals.registered =
        List.of("INT", "TERM", "HUP").stream()
            .map(name -> new Registered(name, Signals.register(name, () -> signals.on(name))))
            .toList();
    return signals;
  }

  /// What the process ends with that a signal has not let get to its end.
  static int exitCode(String signal) {
    return signal.equals("INT") ? ExitCode.INTERRUPTED : ExitCode.TERMINATED;
  }

  /// What somebody is to press, or send, who does not want to wait.
  static String another(String signal) {
    return signal.equals("INT") ? "another Ctrl-C" : "a second signal";
  }

  void on(String signal) {
    var before = first.compareAndExchange(null, signal);
    if (before == null) {
      receiver.accept(signal);
    } else if (!signal.equals("HUP")) {
      sayLastWords();
      halt.accept(exitCode(before));
    }
  }

  /// The name of the first signal, if there was one.
  Optional<String> first() {
    return Optional.ofNullable(first.get());
  }

  /// Nobody waits for a terminal that takes nothing.
  private void sayLastWords() {
    try {
      Thread.ofPlatform().daemon().start(lastWords).join(LONGEST_WORDS);
    } catch (InterruptedException nobodyWaits) {
      Thread.currentThread().interrupt();
    }
  }

  /// Gives the signals back their usual effect.
  @Override
  public void close() {
    registered.forEach(one -> Signals.unregister(one.signal(), one.former()));
  }
}
