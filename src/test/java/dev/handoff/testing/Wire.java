package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.ledger.WireMessage;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.SerializationTestKit;
import org.apache.pekko.serialization.SerializationExtension;

/// What messages between nodes must stand, whatever they say.
public final class Wire {

  private Wire() {}

  /// Each arrives as it was sent.
  public static void assertArrive(Actors actors, Collection<?> messages) {
    var kit = new SerializationTestKit(actors.system());
    assertThat(messages).isNotEmpty().allSatisfy(message -> kit.verifySerialization(message, true));
  }

  public static void assertWrittenByJackson(Actors actors, Collection<?> messages) {
    var serialization = SerializationExtension.get(actors.system());
    assertThat(messages)
        .isNotEmpty()
        .allSatisfy(
            message ->
                assertThat(serialization.findSerializerFor(message).getClass().getSimpleName())
                    .isEqualTo("JacksonCborSerializer"));
  }

  /// All kinds of messages that these sealed types allow, as far as they may go to another node.
  public static Set<Class<?>> kinds(Class<?>... sealed) {
    return Arrays.stream(sealed)
        .flatMap(kind -> Kinds.of(kind).stream())
        .filter(WireMessage.class::isAssignableFrom)
        .collect(Collectors.toSet());
  }
}
