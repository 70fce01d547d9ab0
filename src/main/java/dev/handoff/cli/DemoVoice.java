package dev.handoff.cli;

import dev.handoff.cli.Screen.Style;
import java.util.ArrayList;
import java.util.List;

/// What the acts of the demo say, and what of it turns out not to be so. Belongs to one thread.
final class DemoVoice {

  private static final String INDENT = "   ";

  private final Screen screen;
  private final List<String> problems = new ArrayList<>();
  private int act;

  DemoVoice(Screen screen) {
    this.screen = screen;
  }

  /// Begins an act.
  void title(String text) {
    screen.say("\n" + screen.styled(Style.BOLD, ++act + "  " + text));
  }

  /// What is going on: one line or several.
  void tell(String text) {
    text.lines().forEach(line -> screen.say(INDENT + line));
  }

  /// How it went.
  void done(String text) {
    screen.say(screen.styled(Style.GREEN, INDENT + "→ " + text));
  }

  /// Keeps in mind what is not as it should be.
  void check(boolean holds, String problem) {
    if (!holds) {
      problems.add(problem);
    }
  }

  /// What did not go as announced, apart from what can be read from the store.
  List<String> problems() {
    return List.copyOf(problems);
  }
}
