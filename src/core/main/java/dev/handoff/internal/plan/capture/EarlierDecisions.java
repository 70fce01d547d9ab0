package dev.handoff.internal.plan.capture;

import dev.handoff.context.PlanDecisions;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.ContentReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Reader of the decisions of earlier steps.
public final class EarlierDecisions {

  /// Most changesets to read; those of the nearest steps come first, newest first.
  private static final int MOST_SETS = 200;

  private EarlierDecisions() {}

  /// Reads the decisions. Blocks.
  ///
  /// @param chain committed changesets of the root plan
  /// @throws dev.handoff.StoreException if the store is unavailable
  /// @throws UncheckedIOException if a changeset cannot be read
  public static PlanDecisions of(
      EarlierSteps steps, List<Changeset> chain, ContentReader contents) {
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
      Changeset set, int distance, ContentReader contents, List<PlanDecisions.Decision> decisions) {
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
