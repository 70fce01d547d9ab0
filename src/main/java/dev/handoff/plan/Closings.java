package dev.handoff.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Changesets that are being closed. What they hold is stored first, of several at once, and then
/// each is committed, in the order in which they were closed.
///
/// Meanwhile the plan takes what has nothing to do with them, and whatever stops it: nothing waits
/// for a slow store but what has to.
final class Closings {

  private final Map<String, Closing> sets = new LinkedHashMap<>();

  /// @param entries how many are stored
  /// @param body under which name they are; null while they are not yet
  private record Closing(Group.Waiting asked, int entries, @Nullable String body) {

    private Closing stored(String name) {
      return new Closing(asked, entries, name);
    }
  }

  boolean isEmpty() {
    return sets.isEmpty();
  }

  void begin(Group.Waiting asked, OpenSet open) {
    sets.put(open.id(), new Closing(asked, open.entries().size(), null));
  }

  void stored(String set, String body) {
    sets.computeIfPresent(set, (id, closing) -> closing.stored(body));
  }

  /// It cannot be stored, and stays open: who wanted it closed.
  Asker failed(String set) {
    return sets.remove(set).asked().asker();
  }

  /// What is to be decided next, before anything else; null while nothing is.
  Group.@Nullable Waiting peek() {
    for (var closing : sets.entrySet()) {
      var body = closing.getValue().body();
      return body == null ? null : commit(closing.getKey(), closing.getValue(), body);
    }
    return null;
  }

  private static Group.Waiting commit(String set, Closing closing, String body) {
    return new Group.Waiting(
        new PlanCommand.Commit(set, body, closing.entries()), closing.asked().asker(), false);
  }

  /// The changeset is being committed, and counts as any other.
  void remove(String set) {
    sets.remove(set);
  }

  /// Whether a command has to wait until these are closed.
  boolean holdUp(PlanCommand command) {
    return !sets.isEmpty() && concern(command);
  }

  /// Whether no closing concerns the command, whichever it is: it stops the plan, or is about what
  /// became of something else.
  static boolean isNoConcern(PlanCommand command) {
    return switch (command) {
      case PlanCommand.Cancel stop -> true;
      case PlanCommand.DeadlinePassed stop -> true;
      case PlanCommand.GiveUp stop -> true;
      case PlanCommand.ApplyWritten over -> true;
      case PlanCommand.ApplyUndone over -> true;
      case PlanCommand.LoseStep step -> true;
      case PlanCommand.DropStep step -> true;
      case PlanCommand.Release release -> false;
      case PlanCommand.Retry retry -> false;
      case PlanCommand.StartChangeset start -> false;
      case PlanCommand.Record recording -> false;
      case PlanCommand.Close close -> false;
      case PlanCommand.Commit commit -> false;
      case PlanCommand.Discard discard -> false;
      case PlanCommand.Resolve resolve -> false;
      case PlanCommand.Apply apply -> false;
      case PlanCommand.Settle settle -> false;
    };
  }

  private boolean concern(PlanCommand command) {
    return switch (command) {
      case PlanCommand.StartChangeset other -> false;
      case PlanCommand.Commit stored -> false;
      case PlanCommand.Record(var set, var changes) -> set == null || sets.containsKey(set);
      case PlanCommand.Close(var set) -> sets.containsKey(set);
      case PlanCommand.Discard discard -> true;
      case PlanCommand.Resolve resolve -> true;
      case PlanCommand.Apply apply -> true;
      case PlanCommand.Settle settle -> true;
      case PlanCommand.Release release -> true;
      case PlanCommand.Retry retry -> true;
      case PlanCommand.Cancel stop -> false;
      case PlanCommand.DeadlinePassed stop -> false;
      case PlanCommand.GiveUp stop -> false;
      case PlanCommand.ApplyWritten over -> false;
      case PlanCommand.ApplyUndone over -> false;
      case PlanCommand.LoseStep step -> false;
      case PlanCommand.DropStep step -> false;
    };
  }

  List<Asker> waiting() {
    var waiting = new ArrayList<Asker>();
    sets.values().forEach(closing -> waiting.add(closing.asked().asker()));
    return waiting;
  }
}
