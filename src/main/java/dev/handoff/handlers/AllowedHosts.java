package dev.handoff.handlers;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// The hosts that requests may go to: `example.org` on any port, or `example.org:8443`.
final class AllowedHosts {

  private final Set<String> hosts;

  AllowedHosts(Set<String> hosts) {
    var plain = new TreeSet<String>();
    hosts.forEach(host -> plain.add(plain(host)));
    this.hosts = plain;
  }

  boolean allow(String host, int port) {
    return hosts.contains(plain(host)) || hosts.contains(plain(host) + ":" + port);
  }

  @Override
  public String toString() {
    return String.join(", ", hosts);
  }

  /// One form for what names the same host.
  static String plain(String host) {
    var lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
