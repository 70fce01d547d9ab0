package dev.handoff.internal.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// FIFO queue of commands to decide, together with the changesets being closed. A command of the
/// plan itself is queued at most once.
final class WaitingCommands {

  private final Deque<CommandGroup.Waiting> queue = new ArrayDeque<>();
  private final Set<PlanCommand> own = new HashSet<>();
  private final ClosingChangesets closings = new ClosingChangesets();

  ClosingChangesets closings() {
    return closings;
  }

  int size() {
    return queue.size();
  }

  boolean isEmpty() {
    return queue.isEmpty() && closings.isEmpty();
  }

  void add(PlanCommand command, PlanRequester requester) {
    if (!requester.isNobody() || own.add(command)) {
      queue.add(new CommandGroup.Waiting(command, requester, false));
    }
  }

  /// Puts commands back in front after a failed append.
  void putBack(List<CommandGroup.Waiting> decided) {
    for (var waiting : decided.reversed()) {
      if (!waiting.requester().isNobody() || own.add(waiting.command())) {
        queue.addFirst(waiting);
      }
    }
  }

  /// Next command to decide; null if the queue is empty or its head waits for a closing. Commits of
  /// stored changesets precede all other commands.
  CommandGroup.@Nullable Waiting peek() {
    var commit = closings.peek();
    if (commit != null) {
      return commit;
    }
    var first = queue.peek();
    boolean waits =
        first == null || closings.turn(first.command()) == ClosingChangesets.Turn.AFTER_CLOSINGS;
    return waits ? null : first;
  }

  /// First command allowed to overtake a pending closing; null if none is.
  CommandGroup.@Nullable Waiting overtaking() {
    return closings.isEmpty()
        ? null
        : queue.stream().filter(waiting -> isAtOnce(waiting.command())).findFirst().orElse(null);
  }

  private boolean isAtOnce(PlanCommand command) {
    return closings.turn(command) == ClosingChangesets.Turn.AT_ONCE;
  }

  /// Removes a command that [#peek] or [#overtaking] returned, because it is being decided.
  void remove(CommandGroup.Waiting taken) {
    if (queue.remove(taken)) {
      own.remove(taken.command());
    } else if (taken.command() instanceof PlanCommand.Commit(var set, var body, int entries)) {
      closings.remove(set);
    }
  }

  /// Requesters of all waiting commands, one entry per command.
  List<PlanRequester> waiting() {
    var waiting = closings.waiting();
    queue.forEach(one -> waiting.add(one.requester()));
    return waiting;
  }
}
