package dev.handoff.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Columns of text, as wide as their widest cell.
final class Table {

  /// @param style null = plain
  record Cell(String text, Screen.@Nullable Style style) {}

  private final List<List<Cell>> rows = new ArrayList<>();

  Table(List<String> head) {
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

  /// The lines, each with its end.
  String draw(Screen screen) {
    var widths = IntStream.range(0, rows.getFirst().size()).map(this::width).toArray();
    var lines = new StringBuilder();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        var cell = row.get(column);
        boolean last = column == widths.length - 1;
        var gap = last ? "" : " ".repeat(widths[column] - cell.text().length() + 2);
        line.append(cell.style() == null ? cell.text() : screen.styled(cell.style(), cell.text()))
            .append(gap);
      }
      lines.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return lines.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).text().length()).max().orElse(0);
  }
}
