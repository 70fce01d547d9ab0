package dev.handoff.testing;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.store.Store;
import java.util.function.UnaryOperator;

/// Starts engines with a store decorator.
public final class OnStore {

  private OnStore() {}

  public static Handoff start(HandoffBuilder builder, UnaryOperator<Store> around) {
    return ((EngineBuilder) builder).around(around).start();
  }
}
