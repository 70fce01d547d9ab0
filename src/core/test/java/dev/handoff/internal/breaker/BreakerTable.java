package dev.handoff.internal.breaker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Table of each message's effect in each state, determined by execution.
final class BreakerTable {

  private static final Map<String, Consumer<BreakerDriver>> STATES = states();
  private static final Map<String, Function<BreakerDriver, String>> MESSAGES = messages();

  private BreakerTable() {}

  /// States of the table. In each of them, the first permit is reported and older than a reset; the
  /// second permit is also older, and still out.
  private static Map<String, Consumer<BreakerDriver>> states() {
    var states = new LinkedHashMap<String, Consumer<BreakerDriver>>();
    states.put("closed", breaker -> {});
    states.put("nearly open", breaker -> breaker.failures(2));
    states.put("open", breaker -> breaker.failures(3));
    states.put("half open", BreakerDriver::becomeHalfOpen);
    states.put(
        "being tried",
        breaker -> {
          breaker.becomeHalfOpen();
          breaker.permit();
        });
    states.put("forced open", breaker -> breaker.steer(Breaker.Order.FORCE_OPEN));
    states.put("disabled", breaker -> breaker.steer(Breaker.Order.DISABLE));
    return states;
  }

  private static Map<String, Function<BreakerDriver, String>> messages() {
    var messages = new LinkedHashMap<String, Function<BreakerDriver, String>>();
    messages.put(
        "acquire",
        breaker ->
            switch (breaker.acquire()) {
              case BreakerState.Granted(long generation, long number, boolean trial) ->
                  trial ? "trial" : "permit";
              case BreakerState.Denied denied -> "rejected";
            });
    messages.put("own succeeded", breaker -> own(breaker, breaker::succeed));
    messages.put("own failed", breaker -> own(breaker, breaker::fail));
    messages.put("own released", breaker -> own(breaker, breaker::release));
    messages.put("former succeeded", breaker -> name(breaker.succeed(breaker.permits.get(1))));
    messages.put("former failed", breaker -> name(breaker.fail(breaker.permits.get(1))));
    messages.put("former released", breaker -> name(breaker.release(breaker.permits.get(1))));
    messages.put("reported succeeded", breaker -> name(breaker.succeed(breaker.permits.get(0))));
    for (var order : Breaker.Order.values()) {
      messages.put(
          order.name().toLowerCase().replace('_', ' '),
          breaker -> {
            breaker.steer(order);
            return "";
          });
    }
    return messages;
  }

  private static String own(
      BreakerDriver breaker, Function<BreakerState.Granted, Breaker.Heard> report) {
    long generation = breaker.state.term().generation();
    var own =
        breaker.permits.stream()
            .filter(permit -> permit.generation() == generation)
            .filter(permit -> breaker.state.permits().isOut(permit.number()))
            .findFirst()
            .or(
                () ->
                    breaker.acquire() instanceof BreakerState.Granted granted
                        ? Optional.of(granted)
                        : Optional.empty());
    return own.map(permit -> name(report.apply(permit))).orElse("-");
  }

  private static String name(Breaker.Heard heard) {
    return heard.name().toLowerCase();
  }

  /// Table in the form of the documentation.
  static String of() {
    var table = new StringBuilder("| |");
    STATES.keySet().forEach(state -> table.append(" %s |".formatted(state)));
    table.append("\n|---|").append("---|".repeat(STATES.size()));
    MESSAGES.forEach(
        (message, tell) -> {
          table.append("\n| **%s** |".formatted(message));
          STATES.values().forEach(state -> table.append(" %s |".formatted(cell(state, tell))));
        });
    return table.append("\n").toString();
  }

  private static String cell(Consumer<BreakerDriver> state, Function<BreakerDriver, String> tell) {
    var breaker = new BreakerDriver("");
    breaker.succeed(breaker.permit());
    breaker.permit();
    breaker.steer(Breaker.Order.RESET);
    state.accept(breaker);
    var answer = tell.apply(breaker);
    return answer + (answer.isEmpty() ? "" : ", ") + breaker.status().label();
  }
}
