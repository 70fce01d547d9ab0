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

  /// Turn of a waiting command.
  enum Turn {
    /// The command overtakes others: it stops the plan, or reports an event outside the changesets.
    AT_ONCE,
    /// The command keeps its place in the queue.
    IN_ORDER,
    /// The command waits until the changesets are closed.
    AFTER_CLOSINGS
  }

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

  /// Turn of a command while changesets are being closed.
  Turn turn(PlanCommand command) {
    return switch (command) {
      case PlanCommand.Cancel stop -> Turn.AT_ONCE;
      case PlanCommand.OutsideEvent event -> Turn.AT_ONCE;
      case PlanCommand.StartChangeset other -> Turn.IN_ORDER;
      case PlanCommand.Commit stored -> Turn.IN_ORDER;
      case PlanCommand.Record(var set, var changes) -> behind(set == null || sets.containsKey(set));
      case PlanCommand.Close(var set) -> behind(sets.containsKey(set));
      case PlanCommand.Discard discard -> behind(true);
      case PlanCommand.Resolve resolve -> behind(true);
      case PlanCommand.Apply apply -> behind(true);
      case PlanCommand.Settle settle -> behind(true);
      case PlanCommand.Release release -> behind(true);
      case PlanCommand.Retry retry -> behind(true);
    };
  }

  private Turn behind(boolean isConcerned) {
    return isConcerned && !sets.isEmpty() ? Turn.AFTER_CLOSINGS : Turn.IN_ORDER;
  }

  List<PlanRequester> waiting() {
    var waiting = new ArrayList<PlanRequester>();
    sets.values().forEach(closing -> waiting.add(closing.asked().requester()));
    return waiting;
  }
}
