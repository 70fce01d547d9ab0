package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.plan.Applies;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.Applying;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Contents;

/// Applies that end their process, without a word to anybody, before one of their operations on
/// files.
///
/// @param without a move that is not made, although it is said to be
public record HaltingApplies(Contents contents, Point point, String without, Runnable halt)
    implements Applies.Work {

  /// Nothing is left out.
  public static final String NOTHING = "nothing";

  /// The move that makes an apply certain.
  public static final String CERTAINTY = "move journal commit";

  /// Where to halt.
  ///
  /// @param recovers whether while an apply is recovered; else while it is written
  /// @param words that the operation begins with, such as `move n` or `sync`
  /// @param time at which of them, in one apply
  public record Point(boolean recovers, String words, int time) {

    /// Such as `write:move n:2` or `recover:sync:1`.
    public static Point parse(String text) {
      var parts = text.split(":");
      return new Point(parts[0].equals("recover"), parts[1], Integer.parseInt(parts[2]));
    }
  }

  @Override
  public ApplyOutcome check(PlanState plan, String target) {
    return new PlanWork(contents).check(plan, target);
  }

  @Override
  public ApplyOutcome write(PlanState plan, Applying apply, CancellationToken stop) {
    return new PlanWork(contents, disk(!point.recovers())).write(plan, apply, stop);
  }

  @Override
  public ApplyOutcome recover(PlanState plan, Applying apply) {
    return new PlanWork(contents, disk(point.recovers())).recover(plan, apply);
  }

  private Disk disk(boolean halts) {
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
