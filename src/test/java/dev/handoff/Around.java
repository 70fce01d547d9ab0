package dev.handoff;

import dev.handoff.plan.Applies;
import dev.handoff.plan.change.Contents;
import dev.handoff.store.Store;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Lets tests of other packages put something around an engine's store, or in the place of what
/// writes into directories.
public final class Around {

  private Around() {}

  public static HandoffBuilder store(HandoffBuilder builder, UnaryOperator<Store> decorator) {
    return builder.around(decorator);
  }

  public static HandoffBuilder applies(
      HandoffBuilder builder, Function<Contents, Applies.Work> maker) {
    return builder.applies(maker);
  }
}
