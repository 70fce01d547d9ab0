package dev.handoff.internal.job;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Append in flight of a job: facts, decision and requester.
///
/// @param command null for a submission
record PendingAppend(@Nullable JobCommand command, JobDecision decision, Requester requester) {

  List<JobFact> facts() {
    return decision.facts();
  }

  CommandVerdict verdict() {
    return decision.verdict();
  }

  /// State of the job after these facts.
  JobState after(JobState before) {
    var after = before;
    for (var fact : facts()) {
      after = after.apply(fact);
    }
    return after;
  }

  /// Adds a worker's claim to these facts.
  PendingAppend with(JobDecision claim, Requester.Offer offer) {
    return new PendingAppend(
        command, decision.and(claim), new Requester.WithClaim(requester, offer));
  }

  /// Credit claimed by these facts; null if none.
  @Nullable WorkerCredit credit() {
    return switch (requester) {
      case Requester.Offer offer -> offer.credit();
      case Requester.WithClaim(var first, var offer) -> offer.credit();
      case Requester other -> null;
    };
  }

  /// Child of this append; null if none.
  @Nullable NewChild newChild() {
    return requester instanceof Requester.Parent parent ? parent.newChild() : null;
  }

  /// Reduced report to write after the store refused these facts.
  Optional<JobCommand.Report> storable(String reason) {
    return command instanceof JobCommand.Report report ? report.storable(reason) : Optional.empty();
  }
}
