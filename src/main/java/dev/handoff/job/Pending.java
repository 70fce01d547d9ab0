package dev.handoff.job;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Facts of a job that are being written, what they came of, and who waits for it.
///
/// @param command null for a submission
record Pending(@Nullable JobCommand command, Decision decision, Asker asker) {

  List<JobFact> facts() {
    return decision.facts();
  }

  Verdict verdict() {
    return decision.verdict();
  }

  /// The state of a job that they lead to.
  JobState after(JobState before) {
    var after = before;
    for (var fact : facts()) {
      after = after.apply(fact);
    }
    return after;
  }

  /// The same with the claim of a worker.
  Pending with(Decision claim, Asker.Offer offer) {
    return new Pending(command, decision.and(claim), new Asker.WithClaim(asker, offer));
  }

  /// The worker that was offered, if this is its claim.
  @Nullable Credit credit() {
    return switch (asker) {
      case Asker.Offer offer -> offer.credit();
      case Asker.WithClaim(var first, var offer) -> offer.credit();
      case Asker other -> null;
    };
  }

  /// The child that is to be born, if this is a parent's fact.
  @Nullable Birth birth() {
    return asker instanceof Asker.Parent parent ? parent.birth() : null;
  }

  /// What may be written when the store has refused these facts.
  Optional<JobCommand.Report> storable(String reason) {
    return command instanceof JobCommand.Report report ? report.storable(reason) : Optional.empty();
  }
}
