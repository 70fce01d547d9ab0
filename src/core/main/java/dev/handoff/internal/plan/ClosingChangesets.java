package dev.handoff.internal.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Changesets being closed. Their bodies are stored first, several at once; each is then committed,
/// in the order of the close commands.
///
/// Meanwhile the plan accepts unrelated commands and all stop commands, so a slow store delays only
/// dependent commands.
final class ClosingChangesets {

  private final Map<String, Closing> sets = new LinkedHashMap<>();

  /// @param entries number of entries in the stored body
  /// @param body hash of the stored body; null until it is stored
  private record Closing(CommandGroup.Waiting asked, int entries, @Nullable String body) {

    private Closing stored(String name) {
      return new Closing(asked, entries, name);
    }
  }

  boolean isEmpty() {
    return sets.isEmpty();
  }

  void begin(CommandGroup.Waiting asked, OpenChangeset open) {
    sets.put(open.id(), new Closing(asked, open.entries().size(), null));
  }

  void stored(String set, String body) {
    sets.computeIfPresent(set, (id, closing) -> closing.stored(body));
  }

  /// Removes a changeset whose body could not be stored. The changeset stays open. Returns the
  /// requester of the close.
  PlanRequester failed(String set) {
    return sets.remove(set).asked().requester();
  }

  /// Commit of the oldest closing, which precedes all other commands; null while its body is not
  /// stored.
  CommandGroup.@Nullable Waiting peek() {
    for (var closing : sets.entrySet()) {
      var body = closing.getValue().body();
      return body == null ? null : commit(closing.getKey(), closing.getValue(), body);
    }
    return null;
  }

  private static CommandGroup.Waiting commit(String set, Closing closing, String body) {
    return new CommandGroup.Waiting(
        new PlanCommand.Commit(set, body, closing.entries()), closing.asked().requester(), false);
  }

  /// Removes a changeset whose commit is being decided like any other command.
  void remove(String set) {
    sets.remove(set);
  }

  /// Returns whether pending closings block a command.
  boolean holdUp(PlanCommand command) {
    return !sets.isEmpty() && concern(command);
  }

  /// Returns whether a command never waits for a closing: it stops the plan, or it reports an event
  /// outside the changesets.
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

  List<PlanRequester> waiting() {
    var waiting = new ArrayList<PlanRequester>();
    sets.values().forEach(closing -> waiting.add(closing.asked().requester()));
    return waiting;
  }
}
