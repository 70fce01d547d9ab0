package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An address")
class AddressRulesTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, an unspecified",
    "0.1.2.3, an unspecified",
    "10.0.0.1, a private",
    "10.255.255.255, a private",
    "100.64.0.1, a shared",
    "100.127.255.255, a shared",
    "127.0.0.1, a loopback",
    "127.255.0.1, a loopback",
    "169.254.169.254, a link-local",
    "172.16.0.1, a private",
    "172.31.255.255, a private",
    "192.0.0.1, a reserved",
    "192.168.1.1, a private",
    "198.18.0.1, a reserved",
    "198.19.255.255, a reserved",
    "224.0.0.1, a multicast",
    "239.255.255.255, a multicast",
    "240.0.0.1, a reserved",
    "255.255.255.255, a reserved",
    "::, an unspecified",
    "::1, a loopback",
    "fe80::1, a link-local",
    "febf::1, a link-local",
    "fec0::1, a private",
    "fc00::1, a unique-local",
    "fd12:3456::1, a unique-local",
    "ff02::1, a multicast",
    "2001::1, a tunnel",
    "64:ff9b:1::1, a private",
    "::ffff:127.0.0.1, a loopback",
    "::127.0.0.1, a loopback",
    "64:ff9b::7f00:1, a loopback",
    "64:ff9b::a9fe:a9fe, a link-local",
    "2002:7f00:1::1, a loopback",
    "2002:c0a8:101::1, a private"
  })
  void thatIsNotPublicIsKnownForWhatItIs(String address, String kind) throws UnknownHostException {
    assertThat(AddressRules.notPublic(InetAddress.getByName(address))).contains(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.1",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "64:ff9b::101:101",
        "2002:101:101::1",
        "fbff::1"
      })
  void ofThePublicInternetIsFine(String address) throws UnknownHostException {
    assertThat(AddressRules.notPublic(InetAddress.getByName(address))).isEmpty();
  }
}
