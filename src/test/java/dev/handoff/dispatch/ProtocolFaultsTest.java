package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.testing.Actors;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Work goes on, nothing starts twice and nothing leaks")
class ProtocolFaultsTest {

  private static final Duration LATE = MixedWork.HEARTBEAT.multipliedBy(3).dividedBy(2);

  /// What does not happen in the midst of work.
  private static final Set<String> LATER = Set.of("Leave", "Abandoned");

  @RegisterExtension static final Actors actors = Actors.inRealTime().with(FaultyMailbox.CONFIG);

  @ParameterizedTest(name = "when something happens to {0} number {2}: {1}")
  @MethodSource("everyFault")
  void whenSomethingHappensToOneMessage(String message, Faults.Kind kind, int nth)
      throws Exception {
    var faults = Faults.one(Messages.KINDS.get(message), kind, nth, LATE).install();
    try (var work = new MixedWork(actors, faults)) {
      work.run(() -> faults.happened() > 0 || LATER.contains(message));
      if (message.equals("Abandoned")) {
        work.abandonOne();
      }
      work.expectNoLeak();
      work.shutDown();

      assertThat(work.attempts()).isEqualTo(1);
    }

    assertThat(faults.happened()).isEqualTo(1);
  }

  static Stream<Arguments> everyFault() {
    return Messages.KINDS.keySet().stream()
        .flatMap(
            message ->
                Arrays.stream(Faults.Kind.values())
                    .filter(kind -> Messages.stands(message, kind))
                    .flatMap(kind -> times(message).map(nth -> arguments(message, kind, nth))));
  }

  private static Stream<Integer> times(String message) {
    return message.equals("Abandoned") ? Stream.of(1) : Stream.of(1, 2);
  }
}
