package dev.handoff.job;

import dev.handoff.ledger.Fact;
import dev.handoff.ledger.Ledger;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.KeptKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a job has its ledger write: its facts, with the first fact of a child, with the history row
/// of a job that they end or with its key alone, and with the removal of that row when they open it
/// again.
final class Appends {

  private Appends() {}

  /// @throws IllegalArgumentException if something of it cannot be encoded
  static Ledger.Append of(
      JobState before,
      List<JobFact> facts,
      @Nullable Birth birth,
      JobEnvironment environment,
      Ledger.Sender sender) {
    var codec = environment.codec();
    var encoded = new ArrayList<Fact>(facts.size() + 1);
    List<HistoryRow> ended = List.of();
    List<KeptKey> keptKeys = List.of();
    List<String> reopened = List.of();
    for (var fact : facts) {
      encoded.add(codec.encode(before.id(), fact));
      if (ends(fact)) {
        var after = before.apply(fact);
        if (!environment.history().drops(after)) {
          ended = List.of(Archive.row(after, codec));
        } else if (after.spec().uniqueKey() != null) {
          keptKeys = List.of(Archive.key(after));
        }
      } else if (fact instanceof JobFact.Reopened) {
        reopened = List.of(before.id().value());
      }
    }
    if (birth != null) {
      encoded.add(birth.fact(codec));
    }
    return new Ledger.Append(before.id().value(), encoded, ended, reopened, keptKeys, sender);
  }

  private static boolean ends(JobFact fact) {
    return fact instanceof JobFact.Succeeded
        || fact instanceof JobFact.Failed
        || fact instanceof JobFact.Cancelled;
  }
}
