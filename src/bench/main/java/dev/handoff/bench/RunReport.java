package dev.handoff.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// Results of a run, printed as a table and as one line of JSON.
final class RunReport {

  private static final String ROW = "%-20s %9s %9s %9s %11s %9s %9s %6s %6s";

  private final List<String> table = new ArrayList<>();
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final ObjectNode ratios = JsonNodeFactory.instance.objectNode();
  private final ObjectNode raw = JsonNodeFactory.instance.objectNode();

  RunReport() {
    table.add(
        ROW.formatted(
            "",
            "jobs/s",
            "us JVM",
            "us server",
            "commits/job",
            "p50 ms",
            "p99 ms",
            "lost",
            "twice"));
  }

  /// @param nanos start latencies, sorted
  void add(String name, List<RoundResult> rounds, long[] nanos) {
    var one = raw.putObject(name);
    one.put("jobsPerSecond", rounded(median(rounds, RoundResult::rate), 0));
    one.put("cpuMicrosPerJob", rounded(median(rounds, RoundResult::cpuMicros), 1));
    one.put("serverCpuMicrosPerJob", rounded(median(rounds, RoundResult::serverMicros), 1));
    one.put("commitsPerJob", rounded(median(rounds, RoundResult::commitsPerJob), 4));
    one.put("startP50Millis", rounded(quantile(nanos, 0.5) / 1e6, 3));
    one.put("startP99Millis", rounded(quantile(nanos, 0.99) / 1e6, 3));
    one.put("jobs", rounds.stream().mapToInt(RoundResult::jobs).sum());
    var lost = one.putArray("lost");
    rounds.forEach(round -> round.lost().forEach(lost::add));
    var repeated = one.putArray("repeated");
    rounds.forEach(round -> round.repeated().forEach(repeated::add));
    var rates = one.putArray("rounds");
    rounds.forEach(round -> rates.add(rounded(round.rate(), 0)));
    table.add(
        ROW.formatted(
            name,
            shown(one, "jobsPerSecond", 0),
            shown(one, "cpuMicrosPerJob", 1),
            shown(one, "serverCpuMicrosPerJob", 1),
            shown(one, "commitsPerJob", 4),
            shown(one, "startP50Millis", 2),
            shown(one, "startP99Millis", 2),
            lost.size(),
            repeated.size()));
  }

  void ratio(String name, double value) {
    ratios.put(name, rounded(value, 2));
  }

  void print() throws IOException {
    table.forEach(System.out::println);
    json.setAll(ratios);
    json.set("raw", raw);
    System.out.println(new ObjectMapper().writeValueAsString(json));
  }

  static String line(RoundResult round) {
    return String.format(
        Locale.ROOT,
        "%8d jobs %8.0f/s  %6.1f us of CPU a job, %6.1f of the server's, %.4f commits%s%s",
        round.jobs(),
        round.rate(),
        round.cpuMicros(),
        round.serverMicros(),
        round.commitsPerJob(),
        round.lost().isEmpty() ? "" : ", LOST " + round.lost(),
        round.repeated().isEmpty() ? "" : ", TWICE " + round.repeated());
  }

  static double median(List<RoundResult> rounds, ToDoubleFunction<RoundResult> figure) {
    var sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  static double quantile(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
  }

  private static String shown(ObjectNode figures, String name, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", figures.get(name).asDouble());
  }

  private static double rounded(double value, int digits) {
    double scale = Math.pow(10, digits);
    return Math.round(value * scale) / scale;
  }
}
