package dev.handoff.context.breaker;

import dev.handoff.actor.DurationWords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// How the calls of the last while went, in slices of time that are forgotten one by one.
///
/// @param slices those in which something was reported, oldest first
record Window(List<Slice> slices) {

  static final int SLICES = 10;
  static final Window EMPTY = new Window(List.of());

  record Slice(long number, int calls, int failures, int slow) {
    Slice plus(boolean failed, boolean wasSlow) {
      return new Slice(number, calls + 1, failures + (failed ? 1 : 0), slow + (wasSlow ? 1 : 0));
    }
  }

  Window {
    slices = List.copyOf(slices);
  }

  Window plus(BreakerRule.Rates rates, Instant now, boolean failed, boolean slow) {
    if (rates.areOff()) {
      return this;
    }
    long current = Math.floorDiv(now.toEpochMilli(), rates.window().toMillis() / SLICES);
    var kept = new ArrayList<Slice>(SLICES);
    for (var slice : slices) {
      if (slice.number() > current - SLICES && slice.number() < current) {
        kept.add(slice);
      }
    }
    boolean goesOn = !slices.isEmpty() && slices.getLast().number() == current;
    var last = goesOn ? slices.getLast() : new Slice(current, 0, 0, 0);
    kept.add(last.plus(failed, slow));
    return new Window(kept);
  }

  /// Why a breaker should open, in words; empty if it should not.
  Optional<String> complaint(BreakerRule.Rates rates) {
    int calls = sum(Slice::calls);
    if (rates.areOff() || calls < rates.minimumCalls()) {
      return Optional.empty();
    }
    if (isReached(rates.failures(), sum(Slice::failures), calls)) {
      return Optional.of("%d of the last %d calls failed".formatted(sum(Slice::failures), calls));
    }
    if (isReached(rates.slow(), sum(Slice::slow), calls)) {
      return Optional.of(
          "%d of the last %d calls took longer than %s"
              .formatted(sum(Slice::slow), calls, DurationWords.exact(rates.slowAfter())));
    }
    return Optional.empty();
  }

  private static boolean isReached(int percent, int part, int calls) {
    return percent > 0 && 100L * part >= (long) percent * calls;
  }

  private int sum(ToIntFunction<Slice> figure) {
    return slices.stream().mapToInt(figure).sum();
  }
}
