package dev.handoff.dispatch;

import dev.handoff.job.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// The newest log lines of an attempt, from whichever threads its handler uses: a bounded queue of
/// bounded lines that drops its oldest.
final class LineRing {

  private static final int LINES = 100;
  private static final int LONGEST = 1024;

  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES);

  void add(@Nullable String line) {
    var kept = Text.clean(line, LONGEST);
    while (!lines.offer(kept)) {
      lines.poll();
    }
  }

  /// Takes out all lines.
  List<String> take() {
    var taken = new ArrayList<String>();
    lines.drainTo(taken);
    return taken;
  }
}
