package dev.handoff.handlers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.handoff.HandoffBuilder;
import dev.handoff.Json;
import java.time.Duration;
import java.util.List;
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

  private final Settings settings;

  private BuiltInHandlers(Settings settings) {
    this.settings = settings;
  }

  public static BuiltInHandlers with(Settings settings) {
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

  /// Permissions of the built-in handlers.
  ///
  /// @param exec whether `exec` may start programs
  /// @param maxProcesses maximum number of programs that `exec` runs at once; further jobs wait
  /// @param httpHosts allowed hosts of `http`: `example.org` (on any port) or `example.org:8443`;
  ///   empty = `http` is off
  /// @param httpPrivate whether these hosts may be on this machine or in a private network
  public record Settings(
      boolean exec, int maxProcesses, Set<String> httpHosts, boolean httpPrivate) {

    /// Permits neither programs nor requests.
    public static final Settings SAFE = new Settings(false, 64, Set.of(), false);

    public Settings {
      if (maxProcesses < 1 || maxProcesses > 10_000) {
        throw new IllegalArgumentException("max-processes must be 1 to 10000, was " + maxProcesses);
      }
      httpHosts = Set.copyOf(httpHosts);
    }

    /// Problems of the allowed hosts, in words; empty if all are valid.
    public List<String> problems() {
      return httpHosts.stream()
          .sorted()
          .flatMap(host -> AllowedHosts.problem(host, httpPrivate).stream())
          .toList();
    }

    /// Copy that permits programs.
    public Settings withExec() {
      return new Settings(true, maxProcesses, httpHosts, httpPrivate);
    }

    /// Copy that permits requests to these hosts.
    public Settings withHttp(Set<String> hosts, boolean privateAddresses) {
      return new Settings(exec, maxProcesses, hosts, privateAddresses);
    }
  }
}
