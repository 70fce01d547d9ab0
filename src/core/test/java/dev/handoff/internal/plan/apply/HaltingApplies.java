package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.plan.ApplyOutcome;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.StartedApply;
import dev.handoff.internal.plan.change.ContentReader;

/// Apply implementation that halts its process without notice before one of its file operations.
///
/// @param without move that is reported as done but skipped
public record HaltingApplies(ContentReader contents, Point point, String without, Runnable halt)
    implements ApplyRunner.Work {

  /// Value of `without` that skips no move.
  public static final String NOTHING = "nothing";

  /// Move that commits an apply.
  public static final String CERTAINTY = "move journal commit";

  /// Point of the halt.
  ///
  /// @param recovers whether the point is in a recovery, rather than in a write
  /// @param words prefix of the operation, such as `move n` or `sync`
  /// @param time which occurrence within one apply, from 1
  public record Point(boolean recovers, String words, int time) {

    /// Parses text such as `write:move n:2` or `recover:sync:1`.
    public static Point parse(String text) {
      var parts = text.split(":");
      return new Point(parts[0].equals("recover"), parts[1], Integer.parseInt(parts[2]));
    }
  }

  @Override
  public ApplyOutcome check(PlanState plan, String target) {
    return new DirectoryApplier(contents).check(plan, target);
  }

  @Override
  public ApplyOutcome write(PlanState plan, StartedApply apply, CancellationToken stop) {
    return new DirectoryApplier(contents, disk(!point.recovers())).write(plan, apply, stop);
  }

  @Override
  public ApplyOutcome recover(PlanState plan, StartedApply apply) {
    return new DirectoryApplier(contents, disk(point.recovers())).recover(plan, apply);
  }

  private FileOperations disk(boolean halts) {
    var seen = new int[1];
    return TriedDisk.of(
            (number, what) -> {
              if (halts && what.startsWith(point.words()) && ++seen[0] == point.time()) {
                halt.run();
              }
            })
        .without(without);
  }
}
