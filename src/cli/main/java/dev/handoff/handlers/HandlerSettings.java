package dev.handoff.handlers;

import java.util.List;
import java.util.Set;

/// Permissions of the built-in handlers.
///
/// @param exec whether `exec` may start programs
/// @param maxProcesses maximum number of programs that `exec` runs at once; further jobs wait
/// @param httpHosts allowed hosts of `http`: `example.org` (on any port) or `example.org:8443`;
///   empty = `http` is off
/// @param httpPrivate whether these hosts may be on this machine or in a private network
public record HandlerSettings(
    boolean exec, int maxProcesses, Set<String> httpHosts, boolean httpPrivate) {

  /// Permits neither programs nor requests.
  public static final HandlerSettings SAFE = new HandlerSettings(false, 64, Set.of(), false);

  public HandlerSettings {
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
  public HandlerSettings withExec() {
    return new HandlerSettings(true, maxProcesses, httpHosts, httpPrivate);
  }

  /// Copy that permits requests to these hosts.
  public HandlerSettings withHttp(Set<String> hosts, boolean privateAddresses) {
    return new HandlerSettings(exec, maxProcesses, hosts, privateAddresses);
  }
}
