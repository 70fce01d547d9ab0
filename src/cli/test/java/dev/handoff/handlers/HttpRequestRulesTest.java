package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.handlers.HttpHandler.Request;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request")
class HttpRequestRulesTest {

  @ParameterizedTest
  @CsvSource({
    "ftp://example.org/, must begin with http",
    "example.org, must begin with http",
    "file:///etc/passwd, must begin with http",
    "http:///x, names no host",
    "http://user:pw@example.org/, must not carry a user",
    "http://example.org:0/, port 0 does not exist",
    "http://example.org:99999/, port 99999 does not exist",
    "http://exa mple.org/, malformed",
    "http://example.org/\ud800, malformed",
    "'http://example.org/\r\nX: y', malformed"
  })
  void goesToARealUrl(String url, String why) {
    assertThatThrownBy(() -> HttpTarget.of(url)).hasMessageContaining(why);
  }

  @Test
  void needsAUrl() {
    assertThatThrownBy(() -> HttpTarget.of((String) null)).hasMessageContaining("needs a url");
  }

  @Test
  void takesAUrlApart() throws Exception {
    assertThat(HttpTarget.of("HTTPS://Example.org"))
        .isEqualTo(new HttpTarget(true, "Example.org", 443, "/", "/"))
        .hasToString("https://Example.org/");
    assertThat(HttpTarget.of("http://[2606:4700::1]:81/a%20b/ü?q=ö#f"))
        .isEqualTo(new HttpTarget(false, "2606:4700::1", 81, "/a%20b/%C3%BC?q=%C3%B6", "/a%20b/ü"))
        .extracting(HttpTarget::authority)
        .isEqualTo("[2606:4700::1]:81");
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.org//, //",
    "http://example.org//?q=ö, //?q=%C3%B6",
    "http://example.org//a:b@c/ü#f, //a:b@c/%C3%BC",
    "http://example.org?q, /?q"
  })
  void keepsThePathOfItsUrl(String url, String resource) throws Exception {
    assertThat(HttpTarget.of(url).resource()).isEqualTo(resource);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRACE", "CONNECT", "GET /x HTTP/1.1\r\nX:", ""})
  void hasAMethodThatWeKnow(String method) {
    assertThatThrownBy(() -> message(method, Map.of()))
        .hasMessageContaining("method must be one of");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Transfer-Encoding",
        "Connection",
        "Proxy-Authorization",
        "Upgrade"
      })
  void leavesOurHeadersToUs(String name) {
    assertThatThrownBy(() -> message("GET", Map.of(name, "x")))
        .hasMessageContaining("is set by the handler itself");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "ä"})
  void hasHeadersWithRealNames(String name) {
    assertThatThrownBy(() -> message("GET", Map.of(name, "x")))
        .hasMessageContaining("a header's name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX: b", "a\nb", "\0", "\u202E", "日本"})
  void hasHeadersOfOneLine(String value) {
    assertThatThrownBy(() -> message("GET", Map.of("X-Note", value)))
        .hasMessageContaining("\"X-Note\" must be one line");
  }

  @Test
  void hasNoHeaderWithoutAValue() {
    var headers = new HashMap<String, @Nullable String>();
    headers.put("X-Note", null);

    assertThatThrownBy(() -> message("GET", headers)).hasMessageContaining("must be one line");
  }

  private static HttpMessage message(String method, Map<String, @Nullable String> headers)
      throws HandlerFailedException {
    return HttpMessage.of(new Request(method, "http://example.org/", headers, null, null), "key");
  }
}
