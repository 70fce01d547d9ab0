package dev.handoff.internal.breaker;

import dev.handoff.JobError;
import dev.handoff.breaker.BreakerChange;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.internal.text.SafeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Latest errors and transitions of a breaker, oldest first.
record BreakerLog(List<BreakerInfo.LastError> errors, List<BreakerChange> changes) {

  private static final int ERRORS = 5;
  private static final int CHANGES = 10;
  private static final int MESSAGE = 500;

  static final BreakerLog EMPTY = new BreakerLog(List.of(), List.of());

  BreakerLog {
    errors = List.copyOf(errors);
    changes = List.copyOf(changes);
  }

  BreakerLog plus(JobError error, Instant at) {
    var brief = new JobError(error.type(), SafeText.clean(error.message(), MESSAGE), "");
    return new BreakerLog(plus(errors, new BreakerInfo.LastError(brief, at), ERRORS), changes);
  }

  BreakerLog plus(BreakerChange change) {
    return new BreakerLog(errors, plus(changes, change, CHANGES));
  }

  private static <T> List<T> plus(List<T> list, T last, int most) {
    var all = new ArrayList<>(list);
    all.add(last);
    return all.subList(Math.max(0, all.size() - most), all.size());
  }
}
