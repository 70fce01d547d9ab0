package dev.handoff.plan;

import java.util.ArrayList;
import java.util.List;

/// Commands that have waited together and are decided together, one after the other: their facts
/// become durable in one append, and then all of them are answered.
final class Group {

  /// A group is not larger than what the ledger writes at once.
  static final int MOST_COMMANDS = 1_000;

  static final int MOST_CHANGES = 3_000;

  /// A command with who waits for it.
  ///
  /// @param suspect whether it was in a group that the store refused: it is decided alone
  record Waiting(PlanCommand command, Asker asker, boolean suspect) {
    Waiting suspected() {
      return new Waiting(command, asker, true);
    }

    int changes() {
      return command instanceof PlanCommand.Record recording ? recording.changes().size() : 0;
    }
  }

  /// A command that has been decided.
  record Decided(Waiting waiting, PlanDecision decision) {}

  private final List<Decided> decided = new ArrayList<>();
  private final List<PlanFact> facts = new ArrayList<>();
  private final PlanState before;
  private PlanState after;
  private int changes;

  /// @param before as it is durable
  Group(PlanState before) {
    this.before = before;
    this.after = before;
  }

  void add(Waiting waiting, PlanDecision decision) {
    decided.add(new Decided(waiting, decision));
    for (var fact : decision.facts()) {
      facts.add(fact);
      after = after.apply(fact);
    }
    changes += waiting.changes();
  }

  boolean hasRoomFor(Waiting next) {
    return decided.isEmpty()
        || !next.suspect()
            && !decided.getFirst().waiting().suspect()
            && decided.size() < MOST_COMMANDS
            && changes + next.changes() <= MOST_CHANGES;
  }

  PlanState before() {
    return before;
  }

  /// What the plan will be once all of it is durable.
  PlanState after() {
    return after;
  }

  List<Decided> decided() {
    return decided;
  }

  List<PlanFact> facts() {
    return facts;
  }
}
