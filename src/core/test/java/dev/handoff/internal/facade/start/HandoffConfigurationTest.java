package dev.handoff.internal.facade.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValueFactory;
import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.internal.job.HistoryRules;
import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

@DisplayName("The configuration")
class HandoffConfigurationTest {

  private static final Config REFERENCE = ConfigFactory.parseResources("reference.conf").resolve();

  private static HandoffConfiguration read(String settings) {
    return HandoffConfiguration.read(ConfigFactory.parseString(settings).withFallback(REFERENCE));
  }

  @Test
  void isMadeFromTheReferenceAlone() {
    var configuration = HandoffConfiguration.read(REFERENCE);

    assertThat(configuration.partitions()).isZero();
    assertThat(configuration.store()).isEqualTo(new StoreSettings.File(Path.of("handoff-data")));
    assertThat(configuration.engine().dispatch().workers()).isEqualTo(128);
    assertThat(configuration.engine().history().retention()).isEqualTo(Duration.ofDays(30));
    assertThat(configuration.engine().weights()).isEmpty();
  }

  @Test
  void saysThatTheNameOfATypeWithDotsIsQuoted() {
    var builder =
        EngineBuilder.withOwnSystem().set("history.types.mail.send.now.succeeded", "drop");

    assertThatThrownBy(() -> HandoffConfiguration.read(builder.overrides().withFallback(REFERENCE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "handoff.history.types.mail.send.now.succeeded is not a setting; the name of a type"
                + " with dots stands in quotes: handoff.history.types.\"mail.send.now\".succeeded");
    assertThat(
            HandoffConfiguration.read(
                    EngineBuilder.withOwnSystem()
                        .set("history.types.\"mail.send\".succeeded", "drop")
                        .overrides()
                        .withFallback(REFERENCE))
                .engine()
                .history()
                .rules()
                .byType())
        .containsOnlyKeys("mail.send");
  }

  @Test
  void hasARetentionForSingleTypes() {
    var history =
        read("handoff.history.types { mail { retention = 7d }, \"a.b\" { succeeded = drop } }")
            .engine()
            .history();

    assertThat(history.byType()).isEqualTo(Map.of("mail", Duration.ofDays(7)));
    assertThat(history.rules().byType().get("mail")).isEqualTo(HistoryRules.Rule.KEEP);
    assertThat(history.retention()).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void hasNoKeyThatNobodyReadsAndReadsNoKeyThatIsNotThere() {
    var read = new TreeSet<String>();

    HandoffConfiguration.read(
        recording(REFERENCE.withValue("handoff.store.kind", text("postgres")), "", read));
    HandoffConfiguration.read(recording(REFERENCE, "", read));

    var there = new TreeSet<String>();
    REFERENCE
        .getConfig("handoff")
        .entrySet()
        .forEach(entry -> there.add("handoff." + entry.getKey()));
    assertThat(read).containsExactlyElementsOf(there);
  }

  private static com.typesafe.config.ConfigValue text(String value) {
    return ConfigValueFactory.fromAnyRef(value);
  }

  /// Config that records each key whose value is read.
  private static Config recording(Config config, String prefix, Set<String> read) {
    return (Config)
        Proxy.newProxyInstance(
            Config.class.getClassLoader(),
            new Class<?>[] {Config.class},
            (self, method, arguments) -> {
              var answer = method.invoke(config, arguments);
              if (arguments != null
                  && arguments.length > 0
                  && arguments[0] instanceof String path
                  && method.getName().startsWith("get")) {
                if (answer instanceof Config section) {
                  return recording(section, prefix + path + ".", read);
                }
                if (!(answer instanceof ConfigObject)) {
                  read.add(prefix + path);
                }
              }
              return answer;
            });
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        arguments("store.kind", "floppy"),
        arguments("store.file.directory", "a\\u0000b"),
        arguments("store.postgres.connect-timeout", "0s"),
        arguments("store.postgres.connect-timeout", "11m"),
        arguments("partitions", "0"),
        arguments("partitions", "1025"),
        arguments("partitions", "-1"),
        arguments("partitions", "many"),
        arguments("workers", "-1"),
        arguments("workers", "100001"),
        arguments("blocking-threads", "0"),
        arguments("blocking-threads", "10001"),
        arguments("start-patience", "-1s"),
        arguments("start-patience", "25h"),
        arguments("shutdown-grace", "-1s"),
        arguments("shutdown-grace", "300d"),
        arguments("log.failed-attempt", "loud"),
        arguments("log.failed-job", "fatal"),
        arguments("history.retention", "-1d"),
        arguments("history.retention", "40000d"),
        arguments("history.key-retention", "40000d"),
        arguments("history.succeeded", "forget"),
        arguments("history.types.t.failed", "often"),
        arguments("history.types.t.keep", "1d"),
        arguments("history.types.t.retention", "-1d"),
        arguments("history.types.t.retention", "40000d"),
        arguments("history.types.t.retention", "often"),
        arguments("history.types.t", "drop"),
        arguments("retention", "1d"),
        arguments("jobs.stash", "0"),
        arguments("cancel.grace", "-1s"),
        arguments("cancel.abandon", "1s"),
        arguments("cancel.abandon", "300d"),
        arguments("cancel.report", "0s"),
        arguments("cancel.report", "300d"),
        arguments("cancel.repeat", "0s"),
        arguments("cancel.repeat", "300d"),
        arguments("dispatch.heartbeat", "0s"),
        arguments("dispatch.lease", "1s"),
        arguments("dispatch.lease", "300d"),
        arguments("dispatch.margin", "-1s"),
        arguments("dispatch.margin", "300d"),
        arguments("queues.weights.mail", "0"),
        arguments("queues.weights.mail", "1001"),
        arguments("queues.strict", "maybe"),
        arguments("queues.strict", "true"),
        arguments("queues.known", "mail"),
        arguments("queues.known", "[\"a b\"]"),
        arguments("breakers.keep", "0"),
        arguments("breakers.keep", "100001"),
        arguments("breakers.call-timeout", "0s"),
        arguments("breakers.call-timeout", "81d"),
        arguments("breakers.default.failure-threshold", "0"),
        arguments("breakers.default.failure-rate", "101"),
        arguments("breakers.default.slow-rate", "-1"),
        arguments("breakers.default.slow-after", "0s"),
        arguments("breakers.default.window", "9ms"),
        arguments("breakers.default.minimum-calls", "0"),
        arguments("breakers.default.open-for", "0s"),
        arguments("breakers.default.open-for-most", "29s"),
        arguments("breakers.default.trial-calls", "0"),
        arguments("breakers.default.trial-calls", "1001"),
        arguments("breakers.default.trial-deadline", "0s"),
        arguments("breakers.default.lost-after", "0s"),
        arguments("breakers.named.a.open-for", "0s"),
        arguments("breakers.named.a.failure-threshold", "some"),
        arguments("events.keep", "0"),
        arguments("events.keep", "1000001"),
        arguments("ledger.batch-facts", "0"),
        arguments("ledger.batch-bytes", "1"),
        arguments("ledger.max-append", "1"),
        arguments("ledger.backlog", "1"),
        arguments("ledger.checkpoint-after", "1"),
        arguments("ledger.chunk", "1"),
        arguments("ledger.retry-after", "0s"),
        arguments("ledger.retry-after", "300d"));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource("refused")
  void refusesAValueThatIsOutOfItsRangeNamingItsKey(String key, String value) {
    var kind = key.startsWith("store.postgres") ? "handoff.store.kind = postgres\n" : "";

    assertThatThrownBy(() -> read(kind + "handoff.%s = \"%s\"".formatted(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("handoff." + key);
  }

  static Stream<String> keys() {
    return REFERENCE.getConfig("handoff").entrySet().stream()
        .filter(entry -> !(entry.getValue() instanceof ConfigList))
        .map(Map.Entry::getKey)
        // Read by Pekko.
        .filter(key -> !key.startsWith("questions-"))
        .sorted();
  }

  /// Value of a wrong type, or text of a wrong format.
  @ParameterizedTest(name = "{0}")
  @MethodSource("keys")
  void refusesAValueThatCannotBeReadNamingItsKey(String key) {
    assertThatThrownBy(() -> read("handoff.%s = [1, 2]".formatted(key)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("handoff." + key);
    if (!key.matches("store\\..*(?<!timeout)|.*\\.directory")) {
      assertThatThrownBy(() -> read("handoff.%s = \"some parsecs\"".formatted(key)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("handoff." + key);
    }
  }

  @Test
  void takesWhatTheBuilderSays() {
    var builder =
        EngineBuilder.withOwnSystem()
            .postgres("jdbc:postgresql://localhost/x", "me", null)
            .workers(3)
            .partitions(2)
            .shutdownGrace(Duration.ofMillis(1))
            .cancelling(Duration.ofMillis(2), Duration.ofMillis(3))
            .set("queues.weights.mail", 7)
            .set("queues.weights.\"a.b\"", 8)
            .set("queues.weights.c.d", 9);

    var configuration = HandoffConfiguration.read(builder.overrides().withFallback(REFERENCE));

    assertThat(configuration.store())
        .isEqualTo(
            new StoreSettings.Postgres(
                "jdbc:postgresql://localhost/x", "me", null, Duration.ofSeconds(10)));
    assertThat(configuration.partitions()).isEqualTo(2);
    assertThat(configuration.engine().weights()).isEqualTo(Map.of("mail", 7, "a.b", 8, "c.d", 9));
    assertThat(configuration.engine().dispatch().workers()).isEqualTo(3);
    assertThat(configuration.engine().dispatch().shutdownGrace()).isEqualTo(Duration.ofMillis(1));
    assertThat(configuration.engine().dispatch().grace()).isEqualTo(Duration.ofMillis(2));
    assertThat(configuration.engine().dispatch().abandon()).isEqualTo(Duration.ofMillis(3));
  }

  @Test
  void letsSingleBreakersDifferInSingleKeys() {
    var builder =
        EngineBuilder.withOwnSystem()
            .set("breakers.default.trial-calls", 2)
            .set("breakers.named.search.open-for", Duration.ofSeconds(1))
            .set("breakers.named.\"a.b\".failure-threshold", 7)
            .set("breakers.named.c.d.slow-rate", 50);

    var breakers =
        HandoffConfiguration.read(builder.overrides().withFallback(REFERENCE)).engine().breakers();

    assertThat(breakers.named().keySet()).containsExactlyInAnyOrder("search", "a.b", "c.d");
    var search = breakers.named().get("search");
    assertThat(search.opening().first()).isEqualTo(Duration.ofSeconds(1));
    assertThat(search.trials().calls()).isEqualTo(2);
    assertThat(breakers.named().get("a.b").failureThreshold()).isEqualTo(7);
    assertThat(breakers.named().get("c.d").rates().slow()).isEqualTo(50);
    assertThat(breakers.standard().failureThreshold()).isEqualTo(3);
    assertThatThrownBy(() -> EngineBuilder.withOwnSystem().set("breakers.named.search.colour", 1))
        .hasMessageStartingWith("handoff.breakers.named.search.colour is not a setting");
    assertThatThrownBy(() -> read("handoff.breakers.named.\"a b\".open-for = 1s"))
        .hasMessageStartingWith("handoff.breakers.named \"a b\" is not a name");
  }

  @Test
  void takesTheLastWordOfTheBuilder() {
    var builder =
        EngineBuilder.withOwnSystem().store(new StoreSettings.Memory()).directory(Path.of("there"));

    var configuration = HandoffConfiguration.read(builder.overrides().withFallback(REFERENCE));

    assertThat(builder.store()).isNull();
    assertThat(configuration.store()).isEqualTo(new StoreSettings.File(Path.of("there")));
    assertThat(read("handoff.store.kind = memory").store()).isEqualTo(new StoreSettings.Memory());
  }

  @Test
  void refusesAKeyThatThereIsNot() {
    assertThatThrownBy(() -> EngineBuilder.withOwnSystem().set("worker", 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "handoff.worker is not a setting; known: blocking-threads, breakers")
        .hasMessageContaining("workers");
    assertThatThrownBy(() -> EngineBuilder.withOwnSystem().set("queues.weights.a b$", 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("handoff.queues.weights.a b$");
  }

  @Test
  void saysThatAValueOfAWrongKindWasSetByTheHost() {
    var builder =
        EngineBuilder.withOwnSystem().store(new StoreSettings.Memory()).set("workers", "many");

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("set: handoff.workers has type STRING rather than NUMBER");
  }

  @Test
  void refusesAKeyThatOnlyBeginsLikeOne() {
    assertThatThrownBy(() -> EngineBuilder.withOwnSystem().set("queues.weightsmail", 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("handoff.queues.weightsmail is not a setting");
  }

  @Test
  void takesNoTimesThatTogetherAreLongerThanATimerCanWait() {
    var longest = Duration.ofMillis(10L * Integer.MAX_VALUE);

    var engine =
        read("handoff { shutdown-grace = 80d, cancel.abandon = 80d, cancel.report = 80d }")
            .engine();

    assertThat(engine.longestShutdown().plusDays(80)).isLessThan(longest);
    assertThat(engine.jobs().abandon().plus(engine.jobs().report())).isLessThan(longest);
    assertThatThrownBy(() -> read("handoff.shutdown-grace = 81d"))
        .hasMessageContaining("handoff.shutdown-grace must be 0s to 80d");
  }

  @Test
  void refusesADurationThatCannotBeWritten() {
    assertThatThrownBy(
            () -> EngineBuilder.withOwnSystem().shutdownGrace(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("handoff.shutdown-grace");
    assertThatThrownBy(() -> EngineBuilder.withOwnSystem().set("workers", new Object()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("handoff.workers");
  }

  @Test
  void takesAKeyThatNobodyKnowsAndChangesNothing() {
    assertThat(read("handoff.colour = red")).isEqualTo(HandoffConfiguration.read(REFERENCE));
  }

  @Test
  void warnsOfSettingsOfContextsThatAreNotInstalled() {
    var logger = (Logger) LoggerFactory.getLogger(Handoff.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.addAppender(lines);
    try {
      assertThat(read("handoff.context.at-once = 3"))
          .isEqualTo(HandoffConfiguration.read(REFERENCE));
    } finally {
      logger.detachAppender(lines);
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .contains(
            "handoff.context.at-once changes nothing: context assembly is not installed; the"
                + " library is dev.handoff:handoff-context");
  }

  @Test
  void setsNothingOutsideOfItsSectionButSerializationBindings() {
    var own = ConfigFactory.parseFile(new File("src/core/main/resources/reference.conf"));

    assertThat(own.withoutPath("handoff").entrySet())
        .singleElement()
        .satisfies(
            entry ->
                assertThat(entry.getKey())
                    .isEqualTo(
                        "pekko.actor.serialization-bindings.\"dev.handoff.internal.ledger.WireMessage\""));
  }
}
