package dev.handoff.internal.plan.capture;

import dev.handoff.internal.plan.change.ChangePath;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.CaptureException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Files that cannot be recorded. All of them are reported at once, so that a step does not fail
/// once per file.
final class UnrecordableFiles {

  private static final int MOST_NAMED = 20;

  private final List<String> names = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();

  /// Reports an entry that is neither a file nor a directory.
  void link(String name) {
    add(name, "is a link or no file: what a plan keeps are files; have it removed or ignored");
  }

  /// Checks a changed file.
  void check(String name, @Nullable FileStamp before, @Nullable FileStamp after) {
    var problem = ChangePath.problem(name);
    long size = Math.max(before == null ? 0 : before.size(), after == null ? 0 : after.size());
    if (name.indexOf('\uFFFD') >= 0) {
      add(name, "cannot be recorded: the name is not UTF-8");
    } else if (problem.isPresent()) {
      add(name, "cannot be recorded: " + problem.get());
    } else if (size > PackedBlob.MOST_BYTES) {
      add(
          name,
          "has %d bytes: a file in a change has at most %d; have it removed or ignored"
              .formatted(size, PackedBlob.MOST_BYTES));
    }
  }

  private void add(String name, String reason) {
    names.add("\"" + SafeText.shown(name) + "\"");
    reasons.add(reason);
  }

  /// @throws CaptureException with all names, and the reason for the first
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
