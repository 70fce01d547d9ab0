package dev.handoff;

import dev.handoff.store.Store;
import java.util.function.UnaryOperator;

/// Engines with something around their store, for tests in other packages.
public final class OnStore {

  private OnStore() {}

  public static Handoff start(HandoffBuilder builder, UnaryOperator<Store> around) {
    return builder.around(around).start();
  }
}
