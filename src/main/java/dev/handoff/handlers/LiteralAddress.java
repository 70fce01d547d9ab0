package dev.handoff.handlers;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/// Addresses that stand where a host is named: what they are is known without looking anybody up.
final class LiteralAddress {

  private static final Pattern V4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");

  private LiteralAddress() {}

  /// @param host without brackets
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

  /// What kind of address a host has, such as `a loopback`; empty for a public one, and for a name
  /// that has to be looked up. The name `localhost` is this machine everywhere.
  static Optional<String> notPublic(String host) {
    var plain = AllowedHosts.plain(host);
    return plain.equals("localhost") || plain.endsWith(".localhost")
        ? Optional.of("a loopback")
        : of(host).flatMap(AddressRules::notPublic);
  }
}
