package dev.handoff.internal.plan.change;

import java.io.IOException;
import java.util.List;

/// Writer of unified diff hunks, with three lines of context.
final class DiffHunks {

  private static final int AROUND = 3;

  private final TextLines before;
  private final TextLines after;
  private final Appendable out;

  DiffHunks(TextLines before, TextLines after, Appendable out) {
    this.before = before;
    this.after = after;
    this.out = out;
  }

  void write(List<LineBlock> blocks) throws IOException {
    int first = 0;
    for (int i = 1; i <= blocks.size(); i++) {
      if (i == blocks.size() || blocks.get(i).from() - blocks.get(i - 1).to() > 2 * AROUND) {
        hunk(blocks.subList(first, i));
        first = i;
      }
    }
  }

  private void hunk(List<LineBlock> blocks) throws IOException {
    int around = Math.min(AROUND, blocks.getFirst().from());
    int from = blocks.getFirst().from() - around;
    int newFrom = blocks.getFirst().newFrom() - around;
    int behind = Math.min(AROUND, before.size() - blocks.getLast().to());
    int to = blocks.getLast().to() + behind;
    int newTo = blocks.getLast().newTo() + behind;
    out.append("@@ -" + range(from, to) + " +" + range(newFrom, newTo) + " @@\n");
    int line = from;
    for (var block : blocks) {
      lines(' ', before, line, block.from());
      lines('-', before, block.from(), block.to());
      lines('+', after, block.newFrom(), block.newTo());
      line = block.to();
    }
    lines(' ', before, line, to);
  }

  /// Range of a hunk header: lines count from 1, and an empty range names the line before it.
  private static String range(int from, int to) {
    int length = to - from;
    int start = length == 0 ? from : from + 1;
    return length == 1 ? String.valueOf(start) : start + "," + length;
  }

  private void lines(char sign, TextLines lines, int from, int to) throws IOException {
    for (int line = from; line < to; line++) {
      out.append(sign).append(lines.text(line)).append('\n');
      if (!lines.isEnded(line)) {
        out.append("\\ No newline at end of file\n");
      }
    }
  }
}
