package dev.handoff.dispatch;

import dev.handoff.job.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The newest log lines of an attempt, from whichever threads its handler uses: bounded, each and
/// all. Copied with each line: most attempts log nothing, and then it is next to nothing.
final class LineRing {

  private static final int LINES = 100;
  private static final int LONGEST = 1024;

  private final AtomicReference<List<String>> lines = new AtomicReference<>(List.of());

  void add(@Nullable String line) {
    var clean = Text.clean(line, LONGEST);
    lines.updateAndGet(
        kept -> {
          var newest =
              new ArrayList<>(kept.subList(Math.max(0, kept.size() - LINES + 1), kept.size()));
          newest.add(clean);
          return newest;
        });
  }

  /// Takes out all lines.
  List<String> take() {
    return lines.getAndSet(List.of());
  }
}
