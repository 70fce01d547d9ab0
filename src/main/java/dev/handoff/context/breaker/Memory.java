package dev.handoff.context.breaker;

import dev.handoff.job.JobError;
import dev.handoff.job.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The last of what went wrong, and the last changes of state; oldest first.
record Memory(List<BreakerInfo.LastError> errors, List<BreakerChange> changes) {

  private static final int ERRORS = 5;
  private static final int CHANGES = 10;
  private static final int MESSAGE = 500;

  static final Memory EMPTY = new Memory(List.of(), List.of());

  Memory {
    errors = List.copyOf(errors);
    changes = List.copyOf(changes);
  }

  Memory plus(JobError error, Instant at) {
    var brief = new JobError(error.type(), Text.clean(error.message(), MESSAGE), "");
    return new Memory(plus(errors, new BreakerInfo.LastError(brief, at), ERRORS), changes);
  }

  Memory plus(BreakerChange change) {
    return new Memory(errors, plus(changes, change, CHANGES));
  }

  private static <T> List<T> plus(List<T> list, T last, int most) {
    var all = new ArrayList<>(list);
    all.add(last);
    return all.subList(Math.max(0, all.size() - most), all.size());
  }
}
