package dev.handoff.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Text table with columns as wide as their widest cell.
final class TextTable {

  /// @param style null = plain
  record Cell(String text, Screen.@Nullable Style style) {}

  private static final int GAP = 2;

  private final List<List<Cell>> rows = new ArrayList<>();

  TextTable(List<String> head) {
    rows.add(head.stream().map(name -> cell(name, Screen.Style.BOLD)).toList());
  }

  static Cell cell(String text) {
    return new Cell(text, null);
  }

  static Cell cell(String text, Screen.Style style) {
    return new Cell(text, style);
  }

  void row(Cell... cells) {
    rows.add(List.of(cells));
  }

  /// Lines with line ends. Columns that do not fit the terminal are dropped.
  String draw(Screen screen) {
    var widths = fitting(screen);
    var lines = new StringBuilder();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        var cell = row.get(column);
        boolean last = column == widths.length - 1;
        var gap = last ? "" : " ".repeat(widths[column] - cell.text().length() + GAP);
        line.append(cell.style() == null ? cell.text() : screen.styled(cell.style(), cell.text()))
            .append(gap);
      }
      lines.append(line.toString().stripTrailing()).append('\n');
    }
    return lines.toString();
  }

  private int[] fitting(Screen screen) {
    var widths = IntStream.range(0, rows.getFirst().size()).map(this::width).toArray();
    int columns = widths.length;
    while (screen.isTerminal() && columns > 1 && total(widths, columns) > screen.width()) {
      columns--;
    }
    return Arrays.copyOf(widths, columns);
  }

  private static int total(int[] widths, int columns) {
    return Arrays.stream(widths, 0, columns).sum() + GAP * (columns - 1);
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).text().length()).max().orElse(0);
  }
}
