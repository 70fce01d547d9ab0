package dev.handoff.handlers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.handoff.HandoffBuilder;
import dev.handoff.job.Json;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/// The built-in handlers, as far as their settings switch them on.
public final class BuiltInHandlers {

  /// The type of [Exec] jobs.
  public static final String EXEC = "exec";

  /// The type of [Http] jobs.
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

  /// The types that an engine with these handlers can run.
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

  /// Gives the handlers to an engine that is being built.
  ///
  /// @return the builder
  public HandoffBuilder addTo(HandoffBuilder builder) {
    builder
        .handler("noop", JsonNode.class, (ignored, job) -> null)
        .handler("echo", Json.class, (payload, job) -> payload)
        .handler("sleep", Sleep.Request.class, new Sleep())
        .handler("fail", Fail.Request.class, new Fail());
    if (settings.exec()) {
      builder.handler(EXEC, Exec.Command.class, new Exec(settings.maxProcesses(), PATIENCE));
    }
    if (!settings.httpHosts().isEmpty()) {
      builder.handler(
          HTTP, Http.Request.class, Http.to(settings.httpHosts(), settings.httpPrivate()));
    }
    return builder;
  }
}
