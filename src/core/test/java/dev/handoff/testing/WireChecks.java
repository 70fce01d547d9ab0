package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.ledger.WireMessage;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.SerializationTestKit;
import org.apache.pekko.serialization.SerializationExtension;

/// Assertions for all messages between nodes.
public final class WireChecks {

  private WireChecks() {}

  /// Asserts that each message is equal after serialization and deserialization.
  public static void assertArrive(TestActors actors, Collection<?> messages) {
    var kit = new SerializationTestKit(actors.system());
    assertThat(messages).isNotEmpty().allSatisfy(message -> kit.verifySerialization(message, true));
  }

  public static void assertWrittenByJackson(TestActors actors, Collection<?> messages) {
    var serialization = SerializationExtension.get(actors.system());
    assertThat(messages)
        .isNotEmpty()
        .allSatisfy(
            message ->
                assertThat(serialization.findSerializerFor(message).getClass().getSimpleName())
                    .isEqualTo("JacksonCborSerializer"));
  }

  /// Message types below these sealed types that can be sent to another node.
  public static Set<Class<?>> kinds(Class<?>... sealed) {
    return Arrays.stream(sealed)
        .flatMap(kind -> SealedKinds.of(kind).stream())
        .filter(WireMessage.class::isAssignableFrom)
        .collect(Collectors.toSet());
  }
}
