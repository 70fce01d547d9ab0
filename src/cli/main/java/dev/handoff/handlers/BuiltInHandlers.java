package dev.handoff.handlers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.handoff.HandoffBuilder;
import dev.handoff.Json;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/// Built-in handlers, as enabled by their settings.
public final class BuiltInHandlers {

  /// Job type of [ExecHandler].
  public static final String EXEC = "exec";

  /// Job type of [HttpHandler].
  public static final String HTTP = "http";

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Set<String> ALWAYS = Set.of("noop", "sleep", "echo", "fail");

  private final HandlerSettings settings;

  private BuiltInHandlers(HandlerSettings settings) {
    this.settings = settings;
  }

  public static BuiltInHandlers with(HandlerSettings settings) {
    return new BuiltInHandlers(settings);
  }

  /// Job types of the enabled handlers.
  public Set<String> types() {
    var types = new TreeSet<>(ALWAYS);
    if (settings.exec()) {
      types.add(EXEC);
    }
    if (!settings.httpHosts().isEmpty()) {
      types.add(HTTP);
    }
    return types;
  }

  /// Registers the handlers with an engine's builder.
  ///
  /// @return the builder
  public HandoffBuilder addTo(HandoffBuilder builder) {
    builder
        .handler("noop", JsonNode.class, (ignored, job) -> null)
        .handler("echo", Json.class, (payload, job) -> payload)
        .handler("sleep", SleepHandler.Request.class, new SleepHandler())
        .handler("fail", FailHandler.Request.class, new FailHandler());
    if (settings.exec()) {
      builder.handler(
          EXEC, ExecHandler.Command.class, new ExecHandler(settings.maxProcesses(), PATIENCE));
    }
    if (!settings.httpHosts().isEmpty()) {
      builder.handler(
          HTTP,
          HttpHandler.Request.class,
          HttpHandler.to(settings.httpHosts(), settings.httpPrivate()));
    }
    return builder;
  }
}
