package dev.handoff.plan;

import dev.handoff.ledger.Checksum;
import dev.handoff.ledger.FactCodec;
import dev.handoff.store.HistoryRow;
import java.io.IOException;

/// How an ended plan stands in history, and how it is read back.
public final class PlanArchive {

  public static final String KIND = HistoryRow.PLAN;

  /// Before the status of a plan: the counts of history are by status, and those of jobs are not
  /// those of plans.
  private static final String STATUS = "plan-";

  private PlanArchive() {}

  /// The status of plans in history.
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

  /// @throws IOException if the row was written by a newer version, or is damaged
  public static PlanState read(HistoryRow row, FactCodec codec) throws IOException {
    if (codec.decodeState(Checksum.verified(row.state())) instanceof PlanState plan
        && plan.id().value().equals(row.id())) {
      return plan;
    }
    throw new IOException("it is not the state of this plan");
  }
}
