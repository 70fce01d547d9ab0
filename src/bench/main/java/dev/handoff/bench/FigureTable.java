package dev.handoff.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Figures with optional limits, printed as a table and as one line of JSON. With `--quick`, speeds
/// are shown but not checked.
final class FigureTable {

  private static final String ROW = "| %-66s | %12s | %12s | %-6s |";

  private final List<String> table = new ArrayList<>();
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final List<String> missed = new ArrayList<>();

  private final BenchChecks checks;
  private final boolean speeds;

  FigureTable(BenchArguments arguments, BenchChecks checks) {
    this.checks = checks;
    this.speeds = !arguments.quick();
    table.add(ROW.formatted("", "measured", "limit", ""));
    table.add("|---|---|---|---|");
  }

  /// Adds a figure without a limit.
  void add(String name, String words, double value, String unit) {
    json.put(name, rounded(value));
    table.add(ROW.formatted(words, shown(value, unit), "", ""));
  }

  /// Adds a time or rate with an upper limit.
  void add(String name, String words, double value, String unit, double most) {
    judge(name, words, value, unit, most, value <= most, speeds);
  }

  /// Adds a rate with a lower limit.
  void addAtLeast(String name, String words, double value, String unit, double least) {
    judge(name, words, value, unit, least, value >= least, speeds);
  }

  /// Adds a size with an upper limit, which is checked on every machine and with `--quick`.
  void addSize(String name, String words, double value, String unit, double most) {
    judge(name, words, value, unit, most, value <= most, true);
  }

  private void judge(
      String name,
      String words,
      double value,
      String unit,
      double limit,
      boolean kept,
      boolean judged) {
    json.put(name, rounded(value));
    var verdict = !judged ? "" : kept ? "kept" : "MISSED";
    table.add(ROW.formatted(words, shown(value, unit), shown(limit, unit), verdict));
    if (judged) {
      checks.that(words + " keeps its limit of " + shown(limit, unit), kept);
    }
    if (judged && !kept) {
      missed.add(name);
    }
  }

  void print() throws IOException {
    table.forEach(System.out::println);
    var names = json.putArray("missed");
    missed.forEach(names::add);
    System.out.println(new ObjectMapper().writeValueAsString(json));
  }

  private static String shown(double value, String unit) {
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + digits + "f %s", value, unit);
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
