package dev.handoff.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Commands that wait to be decided, in the order in which they came, and the changesets that are
/// being closed meanwhile. What the plan asks itself waits once, however often it is asked.
final class Lineup {

  private final Deque<Group.Waiting> queue = new ArrayDeque<>();
  private final Set<PlanCommand> own = new HashSet<>();
  private final Closings closings = new Closings();

  Closings closings() {
    return closings;
  }

  int size() {
    return queue.size();
  }

  boolean isEmpty() {
    return queue.isEmpty() && closings.isEmpty();
  }

  void add(PlanCommand command, Asker asker) {
    if (!asker.isNobody() || own.add(command)) {
      queue.add(new Group.Waiting(command, asker, false));
    }
  }

  /// Puts commands back in front that came to nothing.
  void putBack(List<Group.Waiting> decided) {
    for (var waiting : decided.reversed()) {
      if (!waiting.asker().isNobody() || own.add(waiting.command())) {
        queue.addFirst(waiting);
      }
    }
  }

  /// What is next: a commit whose body is stored goes before all others. Null if nothing is, or it
  /// has to wait for a closing.
  Group.@Nullable Waiting peek() {
    var commit = closings.peek();
    if (commit != null) {
      return commit;
    }
    var first = queue.peek();
    return first == null || closings.holdUp(first.command()) ? null : first;
  }

  /// What goes past those that wait for a closing: that stops the plan, or no closing concerns it.
  /// Null if there is none.
  Group.@Nullable Waiting overtaking() {
    return closings.isEmpty()
        ? null
        : queue.stream()
            .filter(waiting -> Closings.isNoConcern(waiting.command()))
            .findFirst()
            .orElse(null);
  }

  /// What [#peek] has given is being decided.
  void remove(Group.Waiting taken) {
    if (queue.remove(taken)) {
      own.remove(taken.command());
    } else if (taken.command() instanceof PlanCommand.Commit(var set, var body, int entries)) {
      closings.remove(set);
    }
  }

  /// Whoever waits, once for each command.
  List<Asker> waiting() {
    var waiting = closings.waiting();
    queue.forEach(one -> waiting.add(one.asker()));
    return waiting;
  }
}
