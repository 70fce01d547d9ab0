package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The answer to a request")
class HttpReplyTest {

  @Test
  void mayComeInChunks() throws IOException {
    var reply =
        read(
            "HTTP/1.1 200 OK\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + "5;x=y\r\n"
                + "hello\r\n"
                + "A\r\n"
                + ", my world\r\n"
                + "0\r\n\r\n");

    assertThat(reply.body()).isEqualTo("hello, my world");
  }

  @Test
  void mayComeAfterOthersThatAnnounceIt() throws IOException {
    var reply =
        read(
            "HTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 103 Early Hints\r\n"
                + "Link: x\r\n\r\n"
                + "HTTP/1.0 200\r\n\r\n"
                + "fine");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("fine");
  }

  @Test
  void isReadInItsOwnCharset() throws IOException {
    assertThat(
            read("HTTP/1.1 200 OK\r\n"
                    + "Content-Type: text/plain; charset=\"ISO-8859-1\"\r\n\r\n"
                    + "\u00e9")
                .body())
        .isEqualTo("é");
    assertThat(read("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=no-such\r\n\r\nx").body())
        .isEqualTo("x");
    assertThat(read("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=!\r\n\r\nx").body())
        .isEqualTo("x");
  }

  @Test
  void isCutWhereItIsTooLong() throws IOException {
    var heads =
        List.of(
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n");

    for (var head : heads) {
      try (var server = RawServer.endless(head)) {
        var reply = read(server);

        assertThat(reply.truncated()).isTrue();
        assertThat(reply.body()).hasSize(64 * 1024);
      }
    }
  }

  @Test
  void staysSmallAsJsonToo() throws IOException {
    var reply =
        read(
            "HTTP/1.1 200 OK\r\nX: "
                + "\u0001".repeat(8_000)
                + "\r\n\r\n"
                + "\u0001".repeat(60_000));

    assertThat(reply.truncated()).isTrue();
    assertThat(JsonMapper.builder().build().writeValueAsBytes(reply)).hasSizeLessThan(256 * 1024);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/0.9 200 OK\r\n\r\n",
        "HTTP/1.2 200 OK\r\n\r\n",
        "HTTP/0.9 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 999 Odd\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"
      })
  void isAFailureWhenItIsNone(String answer) {
    assertThatIOException()
        .as(answer)
        .isThrownBy(() -> read(answer))
        .withMessageStartingWith("the answer");
  }

  @Test
  void mayNotHaveAnEndlessHead() throws IOException {
    var many = "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(300) + "\r\n";
    var long1 = "HTTP/1.1 200 OK\r\n" + ("X: " + "y".repeat(6_000) + "\r\n").repeat(3) + "\r\n";

    for (var head : List.of(many, long1)) {
      assertThatIOException().isThrownBy(() -> read(head)).withMessageContaining("head is longer");
    }
    try (var server = RawServer.endless("HTTP/1.1 200 OK\r\nX: ")) {
      assertThatIOException()
          .isThrownBy(() -> read(server))
          .withMessageContaining("head is longer");
    }
  }

  private static HttpReply read(String answer) throws IOException {
    try (var server = RawServer.answering(answer)) {
      return read(server);
    }
  }

  private static HttpReply read(RawServer server) throws IOException {
    try {
      var target = HttpTarget.of("http://127.0.0.1:" + server.port());
      var message =
          HttpMessage.of(
              new HttpHandler.Request("GET", target.toString(), null, null, null), "key");
      return new HttpConnection(target, message, (SSLSocketFactory) SSLSocketFactory.getDefault())
          .exchange(List.of(InetAddress.getLoopbackAddress()));
    } catch (HandlerFailedException invalid) {
      throw new AssertionError(invalid);
    }
  }
}
