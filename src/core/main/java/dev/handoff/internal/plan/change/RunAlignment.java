package dev.handoff.internal.plan.change;

/// Alignment of runs of changed lines to positions that readers expect. A run whose first line
/// equals the line after it can move down one line. It gets the last position beside a change of
/// the other side, else the last position of all. Adjacent runs are joined.
final class RunAlignment {

  private final Runs side;
  private final Runs other;

  /// @param lines line ids of the side whose runs move
  RunAlignment(int[] lines, boolean[] changed, boolean[] otherChanged) {
    this.side = new Runs(lines, changed);
    this.other = new Runs(new int[0], otherChanged);
  }

  void settle() {
    do {
      if (!side.isEmpty()) {
        slide();
      }
    } while (side.next() && other.next());
  }

  private void slide() {
    int length;
    int first;
    int beside;
    do {
      length = side.length();
      while (side.up()) {
        other.previous();
      }
      first = side.end;
      beside = other.isEmpty() ? -1 : side.end;
      while (side.down()) {
        other.next();
        beside = other.isEmpty() ? beside : side.end;
      }
    } while (side.length() != length);
    if (first != side.end && beside >= 0) {
      while (other.isEmpty()) {
        side.up();
        other.previous();
      }
    }
  }

  /// Cursor over the gaps around unchanged lines. Each gap has a run of changed lines, mostly
  /// empty; both sides have equally many gaps.
  private static final class Runs {
    private final int[] lines;
    private final boolean[] changed;
    private int start;
    private int end;

    Runs(int[] lines, boolean[] changed) {
      this.lines = lines;
      this.changed = changed;
      grow();
    }

    boolean isEmpty() {
      return start == end;
    }

    int length() {
      return end - start;
    }

    boolean next() {
      if (end == changed.length) {
        return false;
      }
      start = end + 1;
      end = start;
      grow();
      return true;
    }

    void previous() {
      end = start - 1;
      start = end;
      growUp();
    }

    boolean down() {
      if (end == changed.length || lines[start] != lines[end]) {
        return false;
      }
      changed[start++] = false;
      changed[end++] = true;
      grow();
      return true;
    }

    boolean up() {
      if (start == 0 || lines[start - 1] != lines[end - 1]) {
        return false;
      }
      changed[--start] = true;
      changed[--end] = false;
      growUp();
      return true;
    }

    private void grow() {
      while (end < changed.length && changed[end]) {
        end++;
      }
    }

    private void growUp() {
      while (start > 0 && changed[start - 1]) {
        start--;
      }
    }
  }
}
