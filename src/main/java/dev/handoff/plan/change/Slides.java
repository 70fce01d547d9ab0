package dev.handoff.plan.change;

/// Puts runs of changed lines where people look for them. A run whose first line is the same as the
/// one after it can as well begin a line later; of all its places it gets the last one that stands
/// beside a change of the other side, else the last one at all. Runs that touch become one.
final class Slides {

  private final Runs side;
  private final Runs other;

  /// @param lines the numbers of the lines of the side whose runs are moved
  Slides(int[] lines, boolean[] changed, boolean[] otherChanged) {
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

  /// A cursor over the places before, between and behind the unchanged lines. At each of them there
  /// is a run of changed lines, most often an empty one; both sides have as many.
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
