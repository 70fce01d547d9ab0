package dev.handoff;

import dev.handoff.store.Store;
import java.util.function.UnaryOperator;

/// Lets tests of other packages put something around an engine's store.
public final class Around {

  private Around() {}

  public static HandoffBuilder store(HandoffBuilder builder, UnaryOperator<Store> decorator) {
    return builder.around(decorator);
  }
}
