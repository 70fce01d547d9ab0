package dev.handoff.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.internal.context.assembly.AssemblySettings;
import dev.handoff.internal.context.workspace.WorkspaceSettings;
import dev.handoff.internal.spi.ContextService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The settings of context assembly")
class ContextSettingsTest {

  private static final Config REFERENCE =
      ConfigFactory.parseResources("reference.conf").resolve().getConfig("handoff");

  /// The engine reads them when it starts, before it opens a store.
  private static void start(String key, Object value) {
    Handoff.builder().store(new StoreSettings.Memory()).set("context." + key, value).start();
  }

  @Test
  void areReadByTheServiceThatTheEngineFinds() {
    assertThat(ContextService.installed()).containsInstanceOf(InstalledContextService.class);
  }

  @Test
  void areMadeFromTheReferenceAlone() {
    var assembly = AssemblySettings.from(REFERENCE.getConfig("context"));
    var workspaces = WorkspaceSettings.from(REFERENCE);

    assertThat(assembly.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(assembly.strategies()).contains("simple-keyword");
    assertThat(workspaces.directory()).isEmpty();
    assertThat(workspaces.open()).isEqualTo(8);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        arguments("max-parallel", "0"),
        arguments("max-parallel", "65"),
        arguments("timeout", "0s"),
        arguments("timeout", "61m"),
        arguments("at-once", "0"),
        arguments("at-once", "10001"),
        arguments("encoding", "morse"),
        arguments("strategies", List.of("guessing")),
        arguments("workspace.directory", "a\u0000b"),
        arguments("workspace.refresh-after", "-1s"),
        arguments("workspace.refresh-after", "25h"),
        arguments("workspace.open", "0"),
        arguments("workspace.open", "1001"),
        arguments("workspace.threads", "0"),
        arguments("workspace.threads", "65"),
        arguments("workspace.max-files", "0"),
        arguments("workspace.max-file-size", "0"),
        arguments("workspace.max-file-size", "65MiB"),
        arguments("workspace.max-total-size", "0"),
        arguments("workspace.max-total-size", "2TiB"),
        arguments("workspace.history.commits", "-1"),
        arguments("workspace.history.patience", "25h"));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource("refused")
  void refuseAValueThatIsOutOfItsRangeNamingItsKey(String key, Object value) {
    assertThatThrownBy(() -> start(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("handoff.context." + key);
  }

  static Stream<String> keys() {
    return REFERENCE.getConfig("context").entrySet().stream()
        .filter(entry -> !(entry.getValue() instanceof ConfigList))
        .map(Map.Entry::getKey)
        .sorted();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("keys")
  void refuseAValueThatCannotBeReadNamingItsKey(String key) {
    assertThatThrownBy(() -> start(key, List.of(1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("handoff.context." + key);
    if (!key.endsWith(".directory")) {
      assertThatThrownBy(() -> start(key, "some parsecs"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("handoff.context." + key);
    }
  }

  @Test
  void sayDurationsAsTheyCanBeWritten() {
    assertThatThrownBy(() -> start("timeout", "90m")).hasMessageContaining("1ms to 1h, was 1h30m");
    assertThatThrownBy(() -> start("workspace.refresh-after", "30h"))
        .hasMessageContaining("0s to 1d, was 30h");
  }
}
