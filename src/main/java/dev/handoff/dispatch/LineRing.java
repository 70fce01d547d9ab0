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
    var clean = List.of(Text.clean(line, LONGEST));
    lines.updateAndGet(kept -> newest(kept, clean));
  }

  /// Takes lines back that were taken out and could not be told.
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
