package dev.handoff.cli;

import dev.handoff.cli.Screen.Style;
import java.util.ArrayList;
import java.util.List;

/// Texts of the demo and the problems found during the run. Confined to one thread.
final class DemoVoice {

  private static final String INDENT = "   ";

  private final Screen screen;
  private final List<String> problems = new ArrayList<>();
  private int act;

  DemoVoice(Screen screen) {
    this.screen = screen;
  }

  /// Starts an act.
  void title(String text) {
    screen.say("\n" + screen.styled(Style.BOLD, ++act + "  " + text));
  }

  /// Prints one or more lines of explanation.
  void tell(String text) {
    text.lines().forEach(line -> screen.say(INDENT + line));
  }

  /// Prints the outcome of an act.
  void done(String text) {
    screen.say(screen.styled(Style.GREEN, INDENT + "→ " + text));
  }

  /// Records the problem unless the condition holds.
  void check(boolean holds, String problem) {
    if (!holds) {
      problems.add(problem);
    }
  }

  /// Problems found during the run, in addition to those in the stored data.
  List<String> problems() {
    return List.copyOf(problems);
  }
}
