package dev.handoff.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Index of a transition table by state: the commands that write facts in each situation, by the
/// status that follows, with links to their sections.
public final class TransitionIndex {

  private TransitionIndex() {}

  /// @param next status after a command in a situation; empty if the command writes nothing there
  public static String of(
      Collection<String> situations,
      Collection<String> commands,
      BiFunction<String, String, String> next) {
    var text = new StringBuilder(HEAD);
    situations.forEach(
        situation -> {
          var ways = ways(commands, command -> next.apply(situation, command));
          text.append("* **").append(situation).append("**").append(told(ways)).append('\n');
        });
    return text.toString();
  }

  /// Name of a heading in a link, as Markdown viewers make it.
  public static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
  }

  private static Map<String, List<String>> ways(
      Collection<String> commands, UnaryOperator<String> next) {
    var ways = new LinkedHashMap<String, List<String>>();
    for (var command : commands) {
      var status = next.apply(command);
      if (!status.isEmpty()) {
        ways.computeIfAbsent(status, missing -> new ArrayList<>()).add(link(command));
      }
    }
    return ways;
  }

  private static String told(Map<String, List<String>> ways) {
    if (ways.isEmpty()) {
      return ": no command";
    }
    return ways.entrySet().stream()
        .map(way -> "\n  * to " + way.getKey() + ": " + String.join(", ", way.getValue()))
        .collect(Collectors.joining());
  }

  private static String link(String command) {
    return "[" + command + "](#" + anchor(command) + ")";
  }

  private static final String HEAD =
      """

      ## By state

      The commands that write a fact in each situation, by the status that follows. All other commands write nothing
      there; their answers are in the tables below.

      """;
}
