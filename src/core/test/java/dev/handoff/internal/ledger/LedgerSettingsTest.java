package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The settings of a ledger")
class LedgerSettingsTest {

  @Test
  void areThoseOfTheReferenceConfiguration() {
    var reference = ConfigFactory.parseResources("reference.conf").getConfig("handoff.ledger");

    assertThat(LedgerSettings.from(reference))
        .isEqualTo(
            new LedgerSettings(
                2_000,
                1 << 20,
                8 << 20,
                64L << 20,
                32L << 20,
                64 << 10,
                Duration.ofMillis(25),
                Duration.ofSeconds(1)));
  }

  @ParameterizedTest
  @CsvSource({"1, 64", "2, 64", "4, 32", "8, 16"})
  void shareTheirBacklogAmongManyPartitions(int partitions, long mib) {
    var reference = ConfigFactory.parseResources("reference.conf").getConfig("handoff.ledger");

    var shared = LedgerSettings.from(reference).among(partitions);

    assertThat(shared.backlog()).isEqualTo(mib << 20);
  }

  /// An append of maximum size fits, for any number of partitions.
  @ParameterizedTest
  @ValueSource(ints = {16, 1_024})
  void leaveEachPartitionRoomForOneAppend(int partitions) {
    var reference = ConfigFactory.parseResources("reference.conf").getConfig("handoff.ledger");

    var shared = LedgerSettings.from(reference).among(partitions);

    assertThat(shared.backlog()).isEqualTo((8L << 20) + AppendBacklog.OVERHEAD);
    assertThat(shared.submissions()).isEqualTo(shared.backlog());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4096, 8192, 20000, 2048, 1024, 0, 5, batch-facts must be at least 1",
    "5, 10, 8192, 20000, 2048, 1024, 0, 5, batch-bytes must be at least 1024",
    "5, 4096, 10, 20000, 2048, 1024, 0, 5, max-append must be at least 1024",
    "5, 4096, 8192, 100, 2048, 1024, 0, 5, backlog must be at least 8448",
    "5, 9000, 8192, 8999, 2048, 1024, 0, 5, backlog must be at least 9256",
    "5, 4096, 8192, 20000, 10, 1024, 0, 5, checkpoint-after must be at least 1024",
    "5, 4096, 8192, 20000, 2048, 10, 0, 5, chunk must be at least 1024",
    "5, 4096, 8192, 20000, 2048, 1024, -1, 5, rest must be at least 0",
    "5, 4096, 8192, 20000, 2048, 1024, 0, 0, retry-after must be more than 0"
  })
  void areRefusedWithTheirKey(
      int facts,
      int bytes,
      int append,
      long backlog,
      long checkpoint,
      int chunk,
      long rest,
      long retry,
      String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new LedgerSettings(
                    facts,
                    bytes,
                    append,
                    backlog,
                    checkpoint,
                    chunk,
                    Duration.ofMillis(rest),
                    Duration.ofMillis(retry)))
        .withMessageStartingWith("handoff.ledger." + reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch-bytes", "max-append", "chunk"})
  void areNotCutToFit(String key) {
    var large =
        ConfigFactory.parseString("%s = 5GiB, backlog = 100GiB".formatted(key))
            .withFallback(
                ConfigFactory.parseResources("reference.conf").getConfig("handoff.ledger"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> LedgerSettings.from(large))
        .withMessage("handoff.ledger.%s must be at most 134217728, was 5368709120", key);
  }

  @Test
  void takeNoMoreAtOnceThanAStoreDoes() {
    var reference = ConfigFactory.parseResources("reference.conf").getConfig("handoff.ledger");
    var most = ConfigFactory.parseString("chunk = 128MiB").withFallback(reference);
    var more = ConfigFactory.parseString("chunk = 134217729").withFallback(reference);

    assertThat(LedgerSettings.from(most).chunk()).isEqualTo(128 << 20);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LedgerSettings.from(more))
        .withMessage("handoff.ledger.chunk must be at most 134217728, was 134217729");
  }
}
