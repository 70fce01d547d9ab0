package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/// Fault of one message during a workload, after which the engine must work as before.
final class OneFault {

  private static final Duration LATE = MixedWork.HEARTBEAT.multipliedBy(3).dividedBy(2);

  private static final String ABANDONED = "Abandoned";

  /// Messages that do not occur during the workload.
  private static final Set<String> LATER = Set.of("Leave", ABANDONED);

  private OneFault() {}

  /// All tolerated combinations of messages and faults.
  ///
  /// @param nth which message of its kind has the fault
  static Stream<Arguments> each(int nth) {
    return ProtocolMessages.KINDS.keySet().stream()
        .filter(message -> nth == 1 || !message.equals(ABANDONED))
        .flatMap(
            message ->
                Arrays.stream(MessageFaults.Kind.values())
                    .filter(kind -> ProtocolMessages.stands(message, kind))
                    .map(kind -> arguments(message, kind, nth)));
  }

  static void strike(TestActors actors, String message, MessageFaults.Kind kind, int nth)
      throws Exception {
    var faults = MessageFaults.one(ProtocolMessages.KINDS.get(message), kind, nth, LATE).install();
    try (var work = new MixedWork(actors, faults)) {
      work.run(() -> faults.happened() > 0 || LATER.contains(message));
      if (message.equals(ABANDONED)) {
        work.abandonOne();
      }
      work.expectNoLeak();
      work.shutDown();

      assertThat(work.attempts()).isEqualTo(1);
    }

    assertThat(faults.happened()).as("%s %s %d", message, kind, nth).isEqualTo(1);
  }
}
