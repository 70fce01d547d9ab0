package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.handlers.HttpHandler.Request;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// JVM with a SOCKS proxy that refuses connections: what goes through it fails.
@DisplayName("http beside a proxy of the JVM")
class HttpProxyTest {

  private final Map<String, @Nullable String> before = new HashMap<>();

  @BeforeEach
  void nameAProxy() throws IOException {
    int deserted;
    try (var raw = RawServer.silent()) {
      deserted = raw.port();
    }
    set("socksProxyHost", "127.0.0.1");
    set("socksProxyPort", Integer.toString(deserted));
    // By default no proxy is used for loopback addresses.
    set("socksNonProxyHosts", "");
  }

  @AfterEach
  void forgetTheProxy() {
    before.forEach(
        (key, value) -> {
          if (value == null) {
            System.clearProperty(key);
          } else {
            System.setProperty(key, value);
          }
        });
  }

  @Test
  void connectsWithoutIt() throws Exception {
    try (var raw = RawServer.answering("HTTP/1.1 200 OK\r\n\r\nhello")) {
      var url = "http://127.0.0.1:" + raw.port();

      var reply =
          HttpHandler.to(Set.of("127.0.0.1"), true)
              .handle(new Request(null, url, null, null, "20s"), FakeJob.first());

      assertThat(((HttpReply) reply).body()).isEqualTo("hello");
    }
  }

  private void set(String key, String value) {
    before.put(key, System.setProperty(key, value));
  }
}
