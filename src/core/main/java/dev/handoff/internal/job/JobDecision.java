package dev.handoff.internal.job;

import java.util.ArrayList;
import java.util.List;

/// Result of a command: facts to append, and the verdict to report once they are durable.
public record JobDecision(List<JobFact> facts, CommandVerdict verdict) {

  public JobDecision {
    facts = List.copyOf(facts);
  }

  static JobDecision of(CommandVerdict verdict) {
    return new JobDecision(List.of(), verdict);
  }

  /// Appends a second decision's facts; the first verdict stays.
  JobDecision and(JobDecision next) {
    var both = new ArrayList<>(facts);
    both.addAll(next.facts);
    return new JobDecision(both, verdict);
  }

  static JobDecision done(JobFact fact) {
    return new JobDecision(List.of(fact), CommandVerdict.DONE);
  }

  static JobDecision of(CommandVerdict verdict, JobFact fact) {
    return new JobDecision(List.of(fact), verdict);
  }
}
