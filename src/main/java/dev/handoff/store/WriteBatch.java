package dev.handoff.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Writing a batch. Whether it can be stored at all is looked at once, by the thread of the lane.
final class WriteBatch implements Task.Work<Writes, WriteResult> {

  private final Batch batch;
  private @Nullable String fault;
  private boolean checked;

  WriteBatch(Batch batch) {
    this.batch = batch;
  }

  @Override
  public WriteResult run(Writes session) throws SQLException {
    var why = fault();
    return why == null ? session.write(batch) : new WriteResult.Refused(why);
  }

  @Override
  public @Nullable Batch batch() {
    return fault() == null ? batch : null;
  }

  private @Nullable String fault() {
    if (!checked) {
      fault = Content.fault(batch);
      checked = true;
    }
    return fault;
  }
}
