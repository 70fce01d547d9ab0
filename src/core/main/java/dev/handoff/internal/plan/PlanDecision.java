package dev.handoff.internal.plan;

import java.util.List;

/// Decision about a command: facts to append, and the answer to send once they are durable.
public record PlanDecision(List<PlanFact> facts, PlanAnswer answer) {

  public PlanDecision {
    facts = List.copyOf(facts);
  }

  static PlanDecision of(PlanAnswer answer) {
    return new PlanDecision(List.of(), answer);
  }

  static PlanDecision of(PlanFact fact, PlanAnswer answer) {
    return new PlanDecision(List.of(fact), answer);
  }

  static PlanDecision done() {
    return of(new PlanAnswer.Done());
  }

  static PlanDecision done(PlanFact fact) {
    return of(fact, new PlanAnswer.Done());
  }
}
