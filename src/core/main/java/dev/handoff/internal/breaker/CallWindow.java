package dev.handoff.internal.breaker;

import dev.handoff.internal.text.DurationWords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Sliding window of recent calls, divided into time slices that expire one by one.
///
/// @param slices with at least one report, oldest first
record CallWindow(List<Slice> slices) {

  static final int SLICES = 10;
  static final CallWindow EMPTY = new CallWindow(List.of());

  record Slice(long number, int calls, int failures, int slow) {
    Slice plus(boolean failed, boolean wasSlow) {
      return new Slice(number, calls + 1, failures + (failed ? 1 : 0), slow + (wasSlow ? 1 : 0));
    }
  }

  CallWindow {
    slices = List.copyOf(slices);
  }

  CallWindow plus(BreakerRule.Rates rates, Instant now, boolean failed, boolean slow) {
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
    return new CallWindow(kept);
  }

  /// Reason to open the breaker, as text; empty if all rates are acceptable.
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
