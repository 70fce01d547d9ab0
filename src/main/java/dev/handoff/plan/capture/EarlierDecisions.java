package dev.handoff.plan.capture;

import dev.handoff.context.PlanDecisions;
import dev.handoff.plan.change.BodyCodec;
import dev.handoff.plan.change.Changeset;
import dev.handoff.plan.change.Contents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Reads what the steps before one have decided.
public final class EarlierDecisions {

  /// More than this nobody reads: those of the nearest steps, the newest of them first.
  private static final int MOST_SETS = 200;

  private EarlierDecisions() {}

  /// Blocks.
  ///
  /// @param chain what is committed to the plan at the top
  /// @throws dev.handoff.store.StoreException if the store is away
  /// @throws UncheckedIOException if something in it cannot be read
  public static PlanDecisions of(EarlierSteps steps, List<Changeset> chain, Contents contents) {
    var decisions = new ArrayList<PlanDecisions.Decision>();
    steps.sets(chain).stream()
        .filter(set -> set.decisions() > 0)
        .sorted(
            Comparator.comparingInt((Changeset set) -> distance(steps, set))
                .thenComparing(Changeset::at, Comparator.reverseOrder()))
        .limit(MOST_SETS)
        .forEach(set -> read(set, distance(steps, set), contents, decisions));
    return new PlanDecisions(decisions);
  }

  private static int distance(EarlierSteps steps, Changeset set) {
    return steps.distance(set.by().step()).orElseThrow();
  }

  private static void read(
      Changeset set, int distance, Contents contents, List<PlanDecisions.Decision> decisions) {
    var body = contents.read(List.of(set.body())).get(set.body());
    try {
      if (body == null) {
        throw new IOException("the body of changeset " + set.id() + " is missing in the store");
      }
      for (var decided : BodyCodec.decode(body).decisions()) {
        decisions.add(
            new PlanDecisions.Decision(set.by().step(), distance, decided.text(), decided.at()));
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable.getMessage(), unreadable);
    }
  }
}
