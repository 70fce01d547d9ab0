package dev.handoff.handlers;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Detection of IP addresses outside the public internet: loopback, private networks, and IPv6
/// addresses that embed such an IPv4 address.
final class AddressRules {

  /// Address range with a prefix of so many bits.
  private record Range(byte[] prefix, int bits, String kind) {

    static Range of(String kind, int bits, int... prefix) {
      var bytes = new byte[prefix.length];
      for (int i = 0; i < prefix.length; i++) {
        bytes[i] = (byte) prefix[i];
      }
      return new Range(bytes, bits, kind);
    }

    boolean contains(byte[] address) {
      for (int bit = 0; bit < bits; bit++) {
        int wanted = bit / 8 < prefix.length ? prefix[bit / 8] : 0;
        if (((wanted ^ address[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Range> V4 =
      List.of(
          Range.of("an unspecified", 8, 0),
          Range.of("a private", 8, 10),
          Range.of("a shared", 10, 100, 64),
          Range.of("a loopback", 8, 127),
          Range.of("a link-local", 16, 169, 254),
          Range.of("a private", 12, 172, 16),
          Range.of("a reserved", 24, 192, 0, 0),
          Range.of("a private", 16, 192, 168),
          Range.of("a reserved", 15, 198, 18),
          Range.of("a multicast", 4, 224),
          Range.of("a reserved", 4, 240));

  private static final List<Range> V6 =
      List.of(
          Range.of("an unspecified", 128, 0),
          Range.of("a loopback", 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
          Range.of("a link-local", 10, 0xFE, 0x80),
          Range.of("a private", 10, 0xFE, 0xC0),
          Range.of("a unique-local", 7, 0xFC),
          Range.of("a multicast", 8, 0xFF),
          Range.of("a tunnel", 32, 0x20, 0x01, 0, 0),
          Range.of("a private", 48, 0, 0x64, 0xFF, 0x9B, 0, 1));

  /// IPv6 range whose addresses embed an IPv4 address, and the offset of its four bytes.
  private record Embedding(Range range, int at) {}

  private static final List<Embedding> EMBEDDINGS =
      List.of(
          new Embedding(Range.of("", 96, 0), 12),
          new Embedding(Range.of("", 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF), 12),
          new Embedding(Range.of("", 96, 0, 0x64, 0xFF, 0x9B), 12),
          new Embedding(Range.of("", 16, 0x20, 0x02), 2));

  private AddressRules() {}

  /// Kind of a non-public address, such as `a loopback`; empty for a public address.
  static Optional<String> notPublic(InetAddress address) {
    return switch (address) {
      case Inet4Address v4 -> kindOf(v4.getAddress(), V4);
      case Inet6Address v6 -> kindOf(v6.getAddress(), V6).or(() -> embedded(v6.getAddress()));
      default -> Optional.of("an unknown");
    };
  }

  private static Optional<String> embedded(byte[] v6) {
    return EMBEDDINGS.stream()
        .filter(embedding -> embedding.range().contains(v6))
        .flatMap(
            embedding ->
                kindOf(Arrays.copyOfRange(v6, embedding.at(), embedding.at() + 4), V4).stream())
        .findFirst();
  }

  private static Optional<String> kindOf(byte[] address, List<Range> ranges) {
    return ranges.stream().filter(range -> range.contains(address)).map(Range::kind).findFirst();
  }
}
