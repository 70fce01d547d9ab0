package dev.handoff.internal.dispatch;

import dev.handoff.testing.TestActors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Work goes on, nothing starts twice and nothing leaks")
class ProtocolFaultsTest {

  @RegisterExtension
  static final TestActors actors = TestActors.inRealTime().with(FaultyMailbox.CONFIG);

  /// The stress tests also try the second message of each kind.
  @ParameterizedTest(name = "when something happens to {0} number {2}: {1}")
  @MethodSource("everyFault")
  void whenSomethingHappensToTheFirstMessageOfAKind(
      String message, MessageFaults.Kind kind, int nth) throws Exception {
    OneFault.strike(actors, message, kind, nth);
  }

  static Stream<Arguments> everyFault() {
    return OneFault.each(1);
  }
}
