package dev.handoff.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Group of waiting commands with one common append. Commands are decided one after the other, and
/// answered when all facts are durable.
final class CommandGroup {

  /// Group limits: a group fits one ledger write.
  static final int MOST_COMMANDS = 1_000;

  static final int MOST_CHANGES = 3_000;

  /// Command with its requester.
  ///
  /// @param suspect whether the store refused an earlier group with this command; it is then
  ///   decided alone
  record Waiting(PlanCommand command, PlanRequester requester, boolean suspect) {
    Waiting suspected() {
      return new Waiting(command, requester, true);
    }

    int changes() {
      return command instanceof PlanCommand.Record recording ? recording.changes().size() : 0;
    }
  }

  /// Command with its decision.
  record Decided(Waiting waiting, PlanDecision decision) {}

  private final List<Decided> decided = new ArrayList<>();
  private final List<PlanFact> facts = new ArrayList<>();
  private final PlanState before;
  private PlanState after;
  private int changes;

  /// @param before durable state of the plan
  CommandGroup(PlanState before) {
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

  /// State of the plan once the whole group is durable.
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
