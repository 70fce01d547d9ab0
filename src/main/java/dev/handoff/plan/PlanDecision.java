package dev.handoff.plan;

import java.util.List;

/// What a command leads to: facts to be made durable, and the answer that is given once they are.
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
