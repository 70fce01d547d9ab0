package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import dev.handoff.NonRetryableException;
import dev.handoff.cancel.CancelledException;
import dev.handoff.handlers.HttpHandler.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("http")
class HttpHandlerTest {

  private static final SSLSocketFactory TLS = (SSLSocketFactory) SSLSocketFactory.getDefault();

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final HttpHandler http = HttpHandler.to(Set.of("127.0.0.1", "localhost"), true);
  private HttpServer server;
  private String base;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    base = "http://127.0.0.1:" + server.getAddress().getPort();
    serve("/fine", 200, "{\"a\":1}");
    serve("/created", 201, "");
    serve("/empty", 204, "");
    serve("/broken", 503, "the pump is out of order");
    serve("/silent-failure", 500, "");
    server.createContext(
        "/elsewhere",
        exchange -> {
          exchange.getResponseHeaders().add("Location", base + "/fine");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @Test
  void returnsAnAnswer() throws Exception {
    var reply = get("/fine?x=1");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"a\":1}");
    assertThat(reply.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("x-two", "1, 2");
    assertThat(reply.truncated()).isFalse();
    assertThat(seen).containsExactly("GET /fine?x=1 *: ");
  }

  @Test
  void sendsJsonTextAndNothing() throws Exception {
    var json = JsonNodeFactory.instance.objectNode().put("b", "ü");

    send("POST", "/created", null, json);
    send(
        "put",
        "/created",
        Map.of("Content-Type", "text/csv"),
        JsonNodeFactory.instance.textNode("a;b"));
    send("DELETE", "/empty", null, null);

    assertThat(seen)
        .containsExactly(
            "POST /created application/json: {\"b\":\"ü\"}",
            "PUT /created text/csv: a;b",
            "DELETE /empty null: ");
  }

  @Test
  void neverReadsABodyWhereThereIsNone() throws Exception {
    assertThat(send("HEAD", "/fine", null, null).body()).isEmpty();
    assertThat(get("/empty").status()).isEqualTo(204);
  }

  @Test
  void failsWhenTheAnswerIsNotAGoodOne() {
    assertThatThrownBy(() -> get("/broken?token=secret"))
        .hasMessage("HTTP 503 from GET %s/broken: the pump is out of order", base);
    assertThatThrownBy(() -> get("/silent-failure"))
        .hasMessage("HTTP 500 from GET %s/silent-failure", base);
  }

  @Test
  void doesNotFollowRedirects() {
    assertThatThrownBy(() -> get("/elsewhere"))
        .hasMessage(
            "HTTP 302 from GET %s/elsewhere, which redirects to %s/fine; redirects are not"
                + " followed",
            base, base);
    assertThat(seen).isEmpty();
  }

  @Test
  void tellsRepeatedRequestsApartByTheJob() throws Exception {
    try (var raw = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
      http.handle(request("POST", "http://localhost:" + raw.port() + "/?q", null), FakeJob.first());
      http.handle(request("GET", "http://localhost:" + raw.port(), null), FakeJob.first());
      http.handle(
          request("PATCH", "http://localhost:" + raw.port(), Map.of("idempotency-key", "mine")),
          FakeJob.first());

      assertThat(raw.heads.get(0))
          .startsWith(
              "POST /?q HTTP/1.1\r\nHost: localhost:" + raw.port() + "\r\nConnection: close\r\n")
          .contains("Idempotency-Key: 01M7QA29F8201SE11P2AY4J500\r\n")
          .contains("Content-Length: 0\r\n");
      assertThat(raw.heads.get(1))
          .startsWith("GET / HTTP/1.1\r\n")
          .doesNotContain("Idempotency-Key", "Content-Length");
      assertThat(raw.heads.get(2)).contains("Idempotency-Key: mine\r\n");
    }
  }

  @Test
  void asksForAPathOfTwoSlashes() throws Exception {
    try (var raw = RawServer.answering("HTTP/1.1 200 OK\r\n\r\n")) {
      http.handle(request("GET", "http://localhost:" + raw.port() + "//", null), FakeJob.first());

      assertThat(raw.heads.getFirst()).startsWith("GET // HTTP/1.1\r\n");
    }
  }

  @Test
  void asksNobodyWhoIsNotOnItsList() {
    var strict = HttpHandler.to(Set.of("Example.org.", "api.example.org:8443"), false);

    assertThatThrownBy(
            () -> strict.handle(request("GET", "http://evil.example/", null), FakeJob.first()))
        .isInstanceOf(NonRetryableException.class)
        .hasMessage(
            "host \"evil.example\" is not allowed; allowed: api.example.org:8443, example.org");
    assertThatThrownBy(
            () -> strict.handle(request("GET", "https://api.example.org/", null), FakeJob.first()))
        .hasMessageContaining("host \"api.example.org\" is not allowed");
    assertThat(new AllowedHosts(Set.of("example.org")).allow("EXAMPLE.ORG.", 1234)).isTrue();
    assertThat(new AllowedHosts(Set.of("example.org:443")).allow("example.org", 443)).isTrue();
  }

  @Test
  void refusesAddressesThatAreNotPublic() {
    var strict = HttpHandler.to(Set.of("127.0.0.1", "localhost", "::1"), false);

    for (var url : List.of(base, "http://localhost/", "http://[::1]:8080/")) {
      assertThatThrownBy(() -> strict.handle(request("GET", url, null), FakeJob.first()))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("a loopback address: only public ones are allowed");
    }
  }

  @Test
  void refusesAHostOfWhichOneAddressIsNotPublic() {
    var mixed = resolving(false, "1.1.1.1", "10.0.0.1");

    assertThatThrownBy(
            () -> mixed.handle(request("GET", "http://example.test/", null), FakeJob.first()))
        .hasMessage(
            "host \"example.test\" is at 10.0.0.1, a private address: only public ones are"
                + " allowed without --allow-http-private");
  }

  @Test
  void looksAHostUpOnceAndConnectsToWhatItHasChecked() throws Exception {
    var lookUps = new ArrayList<String>();
    try (var raw = RawServer.answering("HTTP/1.1 200 OK\r\n\r\nhello")) {
      var pinned =
          new HttpHandler(
              new AllowedHosts(Set.of("example.test")),
              true,
              host -> {
                lookUps.add(host);
                return List.of(InetAddress.getLoopbackAddress());
              },
              TLS);

      var reply =
          (HttpReply)
              pinned.handle(
                  request("GET", "http://example.test:" + raw.port(), null), FakeJob.first());

      assertThat(reply.body()).isEqualTo("hello");
      assertThat(raw.heads.getFirst()).contains("\r\nHost: example.test:" + raw.port() + "\r\n");
      assertThat(lookUps).containsExactly("example.test");
    }
  }

  @Test
  void triesTheNextAddressWhenOneDoesNotAnswer() throws Exception {
    try (var raw = RawServer.answering("HTTP/1.1 200 OK\r\n\r\n")) {
      // No server listens on the other loopback addresses.
      var several = resolving(true, "127.0.0.2", "127.0.0.1");

      several.handle(request("GET", "http://example.test:" + raw.port(), null), FakeJob.first());

      assertThat(raw.heads).hasSize(1);
    }
  }

  @Test
  void saysWhyThereIsNoAnswer() throws IOException {
    int deserted;
    try (var raw = RawServer.silent()) {
      deserted = raw.port();
    }

    assertThatThrownBy(
            () ->
                http.handle(request("GET", "http://127.0.0.1:" + deserted, null), FakeJob.first()))
        .hasMessageContaining("GET http://127.0.0.1:%d/: ".formatted(deserted))
        .hasMessageContaining("refused");
    var lost =
        new HttpHandler(
            new AllowedHosts(Set.of("lost.test")),
            true,
            host -> {
              throw new UnknownHostException(host);
            },
            TLS);
    assertThatThrownBy(
            () -> lost.handle(request("GET", "http://lost.test/", null), FakeJob.first()))
        .hasMessage("GET http://lost.test/: the host has no address");
    assertThatThrownBy(
            () ->
                resolving(true)
                    .handle(request("GET", "http://example.test/", null), FakeJob.first()))
        .hasMessage("GET http://example.test/: it has no address");
  }

  @Test
  void waitsNoLongerThanItMay() throws Exception {
    try (var raw = RawServer.silent()) {
      var request = new Request(null, "http://127.0.0.1:" + raw.port(), null, null, "150ms");

      assertThatThrownBy(() -> http.handle(request, FakeJob.first()))
          .hasMessage("GET http://127.0.0.1:%d/: no answer within 150ms", raw.port());
    }
  }

  @Test
  void waitsNoLongerForTheRestOfAnAnswer() throws Exception {
    try (var raw = RawServer.silentAfter("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhel")) {
      var request = new Request(null, "http://127.0.0.1:" + raw.port(), null, null, "150ms");

      assertThatThrownBy(() -> http.handle(request, FakeJob.first()))
          .hasMessage("GET http://127.0.0.1:%d/: no answer within 150ms", raw.port());
    }
  }

  @Test
  void waitsNoLongerForANameEither() {
    var never = new CountDownLatch(1);
    var slow =
        new HttpHandler(
            new AllowedHosts(Set.of("slow.test")),
            true,
            host -> {
              try {
                never.await();
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
              return List.of();
            },
            TLS);

    assertThatThrownBy(
            () ->
                slow.handle(
                    new Request(null, "http://slow.test/", null, null, "100ms"), FakeJob.first()))
        .hasMessage("GET http://slow.test/: no answer within 100ms");
    never.countDown();
  }

  @Test
  void stopsAtOnceWhenCancelled() throws Exception {
    try (var raw = RawServer.silent()) {
      var job = FakeJob.first();
      var running =
          RunningHandler.start(http, request("GET", "http://127.0.0.1:" + raw.port(), null), job);
      assertThat(raw.asked.await(20, TimeUnit.SECONDS)).isTrue();

      job.cancel();

      assertThat(running.failure()).isInstanceOf(CancelledException.class);
    }
  }

  @Test
  void doesNotEvenAskWhenItIsCancelledBefore() throws Exception {
    var job = FakeJob.first();
    job.cancel();

    assertThat(RunningHandler.start(http, request("GET", base + "/fine", null), job).failure())
        .isInstanceOf(CancelledException.class);
    assertThat(seen).isEmpty();
  }

  @Test
  void connectsToNobodyOnceItIsGivenUp() throws Exception {
    try (var raw = RawServer.silent()) {
      var target = HttpTarget.of("http://127.0.0.1:" + raw.port());
      var message = HttpMessage.of(request("GET", target.toString(), null), "key");
      var connection = new HttpConnection(target, message, TLS);
      connection.abort();

      assertThatThrownBy(() -> connection.exchange(List.of(InetAddress.getLoopbackAddress())))
          .isInstanceOf(IOException.class);
      assertThat(raw.heads).isEmpty();
    }
  }

  private HttpReply get(String path) throws Exception {
    return send("GET", path, null, null);
  }

  private HttpReply send(
      String method,
      String path,
      @Nullable Map<String, @Nullable String> headers,
      @Nullable JsonNode body)
      throws Exception {
    return (HttpReply)
        http.handle(new Request(method, base + path, headers, body, null), FakeJob.first());
  }

  private static Request request(
      String method, String url, @Nullable Map<String, @Nullable String> headers) {
    return new Request(method, url, headers, null, null);
  }

  private static HttpHandler resolving(boolean privateAddresses, String... addresses) {
    return new HttpHandler(
        new AllowedHosts(Set.of("example.test")),
        privateAddresses,
        host -> {
          var found = new ArrayList<InetAddress>();
          for (var address : addresses) {
            found.add(InetAddress.getByName(address));
          }
          return found;
        },
        TLS);
  }

  private void serve(String path, int status, String body) {
    server.createContext(
        path,
        exchange -> {
          var sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          var type = exchange.getRequestHeaders().getFirst("Content-Type");
          var accept = exchange.getRequestMethod().equals("GET") ? "*" : type;
          seen.add(
              "%s %s %s: %s"
                  .formatted(exchange.getRequestMethod(), exchange.getRequestURI(), accept, sent));
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.getResponseHeaders().add("X-Two", "1");
          exchange.getResponseHeaders().add("X-Two", "2");
          var bytes = body.getBytes(StandardCharsets.UTF_8);
          boolean silent = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
          exchange.sendResponseHeaders(status, silent ? -1 : bytes.length);
          if (!silent) {
            exchange.getResponseBody().write(bytes);
          }
          exchange.close();
        });
  }
}
