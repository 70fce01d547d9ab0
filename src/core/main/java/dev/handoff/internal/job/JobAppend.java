package dev.handoff.internal.job;

import dev.handoff.internal.ledger.Fact;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeptKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ledger append of a job: its facts, plus rows that belong to the same transaction. A submitted
/// child adds its first fact, an ended job its history row (or only its key), a reopened job the
/// removal of its history row.
final class JobAppend {

  private JobAppend() {}

  /// @throws IllegalArgumentException if a fact or the state cannot be encoded
  static Ledger.Append of(
      JobState before,
      List<JobFact> facts,
      @Nullable NewChild newChild,
      JobEnvironment environment,
      Ledger.Sender sender) {
    var codec = environment.codec();
    var encoded = new ArrayList<Fact>(facts.size() + 1);
    List<HistoryRow> ended = List.of();
    List<KeptKey> keptKeys = List.of();
    List<String> reopened = List.of();
    for (var fact : facts) {
      encoded.add(codec.encode(before.id(), fact));
      if (fact instanceof JobFact.Ending end) {
        var after = before.apply(end);
        if (!environment.history().drops(after)) {
          ended = List.of(JobArchive.row(after, codec));
        } else if (after.spec().uniqueKey() != null) {
          keptKeys = List.of(JobArchive.key(after));
        }
      } else if (fact instanceof JobFact.Reopened) {
        reopened = List.of(before.id().value());
      }
    }
    if (newChild != null) {
      encoded.add(newChild.fact(codec));
    }
    return new Ledger.Append(before.id().value(), encoded, ended, reopened, keptKeys, sender);
  }
}
