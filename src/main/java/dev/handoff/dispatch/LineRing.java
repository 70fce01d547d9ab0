package dev.handoff.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// The newest log lines of an attempt, from whichever threads its handler uses: a bounded queue that drops its oldest.
final class LineRing {

  private static final int LINES = 100;

  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES);

  void add(String line) {
    while (!lines.offer(line)) {
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
