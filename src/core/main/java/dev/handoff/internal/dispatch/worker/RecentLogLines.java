package dev.handoff.internal.dispatch.worker;

import dev.handoff.internal.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Newest log lines of an attempt, added by any thread of its handler. Line length and number of
/// lines are bounded. The list is copied on each write: most attempts log nothing and pay almost
/// nothing.
final class RecentLogLines {

  private static final int LINES = 100;
  private static final int LONGEST = 1024;

  private final AtomicReference<List<String>> lines = new AtomicReference<>(List.of());

  void add(@Nullable String line) {
    var clean = List.of(SafeText.clean(line, LONGEST));
    lines.updateAndGet(kept -> newest(kept, clean));
  }

  /// Restores lines that could not be sent.
  void giveBack(List<String> untold) {
    lines.updateAndGet(kept -> newest(untold, kept));
  }

  private static List<String> newest(List<String> older, List<String> newer) {
    var all = new ArrayList<String>(older);
    all.addAll(newer);
    return all.size() <= LINES ? all : new ArrayList<>(all.subList(all.size() - LINES, all.size()));
  }

  /// Takes out all lines.
  List<String> take() {
    return lines.getAndSet(List.of());
  }
}
