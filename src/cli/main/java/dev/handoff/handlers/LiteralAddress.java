package dev.handoff.handlers;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/// IP addresses in place of a host name; they need no DNS look-up.
final class LiteralAddress {

  private static final Pattern V4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");

  private LiteralAddress() {}

  /// @param host host without brackets
  static Optional<InetAddress> of(String host) {
    if (!host.contains(":") && !V4.matcher(host).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(host));
    } catch (UnknownHostException none) {
      return Optional.empty();
    }
  }

  /// Kind of a host's non-public address, such as `a loopback`; empty for a public address, and for
  /// a name that needs a look-up. The name `localhost` always means this machine.
  static Optional<String> notPublic(String host) {
    var plain = AllowedHosts.plain(host);
    return plain.equals("localhost") || plain.endsWith(".localhost")
        ? Optional.of("a loopback")
        : of(host).flatMap(AddressRules::notPublic);
  }
}
