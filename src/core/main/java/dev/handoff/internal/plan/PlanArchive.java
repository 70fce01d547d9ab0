package dev.handoff.internal.plan;

import dev.handoff.internal.ledger.Checksum;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.plan.PlanStatus;
import java.io.IOException;

/// Conversion between ended plans and history rows.
public final class PlanArchive {

  public static final String KIND = HistoryRow.PLAN;

  /// Prefix of a plan's status in history. Counts of history rows are per status, and plans must
  /// not count as jobs.
  private static final String STATUS = "plan-";

  private PlanArchive() {}

  /// Status column of a plan's history row.
  public static String status(PlanStatus status) {
    return STATUS + status.label();
  }

  static HistoryRow row(PlanState state, FactCodec codec) {
    var origin = state.spec().origin();
    return new HistoryRow(
        state.id().value(),
        KIND,
        status(state.status()),
        state.spec().name(),
        "",
        null,
        origin == null ? null : origin.parent().value(),
        "",
        0,
        state.createdAt(),
        state.endedAt().orElseThrow(),
        Checksum.behind(codec.encodeState(state)));
  }

  /// @throws IOException if a newer version wrote the row, or the row is damaged
  public static PlanState read(HistoryRow row, FactCodec codec) throws IOException {
    if (codec.decodeState(Checksum.verified(row.state())) instanceof PlanState plan
        && plan.id().value().equals(row.id())) {
      return plan;
    }
    throw new IOException("it is not the state of this plan");
  }
}
