package dev.handoff;

import dev.handoff.internal.store.Store;
import java.util.function.UnaryOperator;

/// Starts engines with a store decorator, for tests of other packages.
public final class OnStore {

  private OnStore() {}

  public static Handoff start(HandoffBuilder builder, UnaryOperator<Store> around) {
    return builder.around(around).start();
  }
}
