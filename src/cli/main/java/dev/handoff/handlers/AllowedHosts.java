package dev.handoff.handlers;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Allow-list of hosts for requests: `example.org` on any port, or `example.org:8443`.
final class AllowedHosts {

  private static final Pattern RULE =
      Pattern.compile(
          "(?:\\[([0-9A-Fa-f:.]+)\\]|([\\p{L}\\p{N}_][\\p{L}\\p{N}._-]*))(?::(\\d{1,5}))?");

  private final Set<String> hosts;

  AllowedHosts(Set<String> hosts) {
    var plain = new TreeSet<String>();
    hosts.forEach(host -> plain.add(plain(host)));
    this.hosts = plain;
  }

  /// Problem of an allow-list entry; empty if the entry is valid.
  ///
  /// @param privateAddresses whether hosts on this machine or in a private network are permitted
  static Optional<String> problem(String rule, boolean privateAddresses) {
    var parts = RULE.matcher(rule);
    if (!parts.matches()) {
      return Optional.of(
          "names a host, such as api.example.org, localhost:8080 or [2001:db8::1]:8080, was "
              + rule);
    }
    var port = parts.group(3);
    if (port != null && (Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535)) {
      return Optional.of("port %s of %s does not exist".formatted(port, rule));
    }
    var host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    if (parts.group(1) != null && LiteralAddress.of(host).isEmpty()) {
      return Optional.of("%s is not an address".formatted(host));
    }
    return LiteralAddress.notPublic(host)
        .filter(kind -> !privateAddresses)
        .map(kind -> "%s is %s address: it needs --allow-http-private, too".formatted(host, kind));
  }

  boolean allow(String host, int port) {
    return hosts.contains(plain(host)) || hosts.contains(plain(host) + ":" + port);
  }

  @Override
  public String toString() {
    return String.join(", ", hosts);
  }

  /// Canonical form of a host name.
  static String plain(String host) {
    var lower = host.toLowerCase(Locale.ROOT).replaceFirst("^\\[([^\\]]*)\\]", "$1");
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
