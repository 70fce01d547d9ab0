package dev.handoff.plan.capture;

import dev.handoff.job.Text;
import dev.handoff.plan.change.ChangePath;
import dev.handoff.store.Blob;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What in a working copy cannot be recorded: told all at once, so that a step is not run once for
/// each.
final class Unfit {

  private static final int MOST_NAMED = 20;

  private final List<String> names = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();

  /// Neither a file nor a directory.
  void link(String name) {
    add(name, "is a link or no file: what a plan keeps are files; have it removed or ignored");
  }

  /// A file that is another one than at the start.
  void check(String name, @Nullable Stamp before, @Nullable Stamp after) {
    var problem = ChangePath.problem(name);
    long size = Math.max(before == null ? 0 : before.size(), after == null ? 0 : after.size());
    if (name.indexOf('\uFFFD') >= 0) {
      add(name, "cannot be recorded: the name is not UTF-8");
    } else if (problem.isPresent()) {
      add(name, "cannot be recorded: " + problem.get());
    } else if (size > Blob.MOST_BYTES) {
      add(
          name,
          "has %d bytes: a file in a change has at most %d; have it removed or ignored"
              .formatted(size, Blob.MOST_BYTES));
    }
  }

  private void add(String name, String reason) {
    names.add("\"" + Text.shown(name) + "\"");
    reasons.add(reason);
  }

  /// @throws CaptureException that names them, and says of the first why
  void throwIfAny() {
    if (names.isEmpty()) {
      return;
    }
    var first = names.getFirst() + " " + reasons.getFirst();
    throw new CaptureException(names.size() == 1 ? first : first + "; nor can " + others());
  }

  private String others() {
    int end = Math.min(names.size(), MOST_NAMED);
    int more = names.size() - end;
    return String.join(", ", names.subList(1, end))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }
}
