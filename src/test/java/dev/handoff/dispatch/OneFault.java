package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.testing.Actors;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/// Something that happens to one message in the midst of work, after which all is as it should be.
final class OneFault {

  private static final Duration LATE = MixedWork.HEARTBEAT.multipliedBy(3).dividedBy(2);

  private static final String ABANDONED = "Abandoned";

  /// What does not happen in the midst of work.
  private static final Set<String> LATER = Set.of("Leave", ABANDONED);

  private OneFault() {}

  /// Each kind of message with each kind of fault that it stands.
  ///
  /// @param nth which message of its kind it happens to
  static Stream<Arguments> each(int nth) {
    return Messages.KINDS.keySet().stream()
        .filter(message -> nth == 1 || !message.equals(ABANDONED))
        .flatMap(
            message ->
                Arrays.stream(Faults.Kind.values())
                    .filter(kind -> Messages.stands(message, kind))
                    .map(kind -> arguments(message, kind, nth)));
  }

  static void strike(Actors actors, String message, Faults.Kind kind, int nth) throws Exception {
    var faults = Faults.one(Messages.KINDS.get(message), kind, nth, LATE).install();
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
