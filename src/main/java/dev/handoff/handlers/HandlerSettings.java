package dev.handoff.handlers;

import java.util.List;
import java.util.Set;

/// What the built-in handlers may do.
///
/// @param exec whether `exec` may start programs
/// @param maxProcesses how many programs `exec` runs at once; more jobs than that wait for their
///   turn
/// @param httpHosts whom `http` may ask: `example.org` (on any port) or `example.org:8443`. Nobody
///   = `http` is off
/// @param httpPrivate whether those hosts may be on this machine or in a private network
public record HandlerSettings(
    boolean exec, int maxProcesses, Set<String> httpHosts, boolean httpPrivate) {

  /// Neither programs nor requests.
  public static final HandlerSettings SAFE = new HandlerSettings(false, 64, Set.of(), false);

  public HandlerSettings {
    if (maxProcesses < 1 || maxProcesses > 10_000) {
      throw new IllegalArgumentException("max-processes must be 1 to 10000, was " + maxProcesses);
    }
    httpHosts = Set.copyOf(httpHosts);
  }

  /// What is wrong with the hosts, in words; empty if all of them can be asked.
  public List<String> problems() {
    return httpHosts.stream()
        .sorted()
        .flatMap(host -> AllowedHosts.problem(host, httpPrivate).stream())
        .toList();
  }

  /// The same, with programs allowed.
  public HandlerSettings withExec() {
    return new HandlerSettings(true, maxProcesses, httpHosts, httpPrivate);
  }

  /// The same, with requests to these hosts allowed.
  public HandlerSettings withHttp(Set<String> hosts, boolean privateAddresses) {
    return new HandlerSettings(exec, maxProcesses, hosts, privateAddresses);
  }
}
