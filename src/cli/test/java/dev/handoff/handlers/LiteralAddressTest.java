package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An address in the place of a host")
class LiteralAddressTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, a loopback",
    "10.1.2.3, a private",
    "169.254.169.254, a link-local",
    "0.0.0.0, an unspecified",
    "::1, a loopback",
    "::ffff:10.0.0.1, a private",
    "fd00::1, a unique-local",
    "localhost, a loopback",
    "LOCALHOST., a loopback",
    "a.localhost, a loopback"
  })
  void isKnownNotToBePublicWithoutLookingItUp(String host, String kind) {
    assertThat(LiteralAddress.notPublic(host)).contains(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1.1.1.1", "2606:4700::1", "example.org", "1.2.3", "1.2.3.4.5", "256.1.1.1", "x"})
  void isPublicOrANameOtherwise(String host) {
    assertThat(LiteralAddress.notPublic(host)).isEmpty();
  }

  @Test
  void isRefusedBeforeItsJobIsAccepted() {
    for (var host : new String[] {"127.0.0.1", "[::1]", "localhost"}) {
      var request =
          new HttpHandler.Request(null, "http://%s:8080/".formatted(host), null, null, null);

      assertThatThrownBy(() -> HttpHandler.to(Set.of(host + ":8080"), false).check(request))
          .isInstanceOf(RefusedHostException.class)
          .hasMessageContaining("a loopback address: only public ones are allowed");
      assertThat(HttpHandler.to(Set.of(host + ":8080"), true))
          .satisfies(allowed -> allowed.check(request));
    }
  }
}
