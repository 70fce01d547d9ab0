package dev.handoff.job;

import java.util.ArrayList;
import java.util.List;

/// What a command leads to: facts to be made durable, and the answer that is given once they are.
public record Decision(List<JobFact> facts, Verdict verdict) {

  public Decision {
    facts = List.copyOf(facts);
  }

  static Decision of(Verdict verdict) {
    return new Decision(List.of(), verdict);
  }

  /// Both, one after the other.
  Decision and(Decision next) {
    var both = new ArrayList<>(facts);
    both.addAll(next.facts);
    return new Decision(both, verdict);
  }

  static Decision done(JobFact fact) {
    return new Decision(List.of(fact), Verdict.DONE);
  }

  static Decision of(Verdict verdict, JobFact fact) {
    return new Decision(List.of(fact), verdict);
  }
}
