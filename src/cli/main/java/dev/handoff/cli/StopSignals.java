package dev.handoff.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/// Redirects stop signals from the JVM to a command. The first signal lets the command shut down
/// cleanly; a second one ends the process immediately. A repeated `HUP` is ignored: a closing
/// terminal sends several, and no user is waiting there.
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

  /// @param receiver receives the first signal's name, on a JVM thread
  /// @param lastWords prints the consequences when a second signal ends the process
  static StopSignals passTo(Consumer<String> receiver, Runnable lastWords) {
    var signals = new StopSignals(receiver, lastWords, Runtime.getRuntime()::halt);
    signals.registered =
        List.of("INT", "TERM", "HUP").stream()
            .map(name -> new Registered(name, Signals.register(name, () -> signals.on(name))))
            .toList();
    return signals;
  }

  /// Exit code for a process that a signal stopped: 130 for `INT`, 143 for all others.
  static int exitCode(String signal) {
    return signal.equals("INT") ? ExitCode.INTERRUPTED : ExitCode.TERMINATED;
  }

  /// Phrase for the second signal, which stops immediately.
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

  /// Name of the first signal, if any.
  Optional<String> first() {
    return Optional.ofNullable(first.get());
  }

  /// Prints the last words with a time limit, because a terminal may block.
  private void sayLastWords() {
    try {
      Thread.ofPlatform().daemon().start(lastWords).join(LONGEST_WORDS);
    } catch (InterruptedException nobodyWaits) {
      Thread.currentThread().interrupt();
    }
  }

  /// Restores the previous signal handlers.
  @Override
  public void close() {
    registered.forEach(one -> Signals.unregister(one.signal(), one.former()));
  }
}
