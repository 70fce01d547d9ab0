package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.CancelledException;
import dev.handoff.handlers.HttpHandler.Request;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests to a host of several addresses, most of them given up. A connect to one address would
/// take 10 s.
@DisplayName("An http request to several addresses")
class HttpAddressesTest {

  private static final SSLSocketFactory TLS = (SSLSocketFactory) SSLSocketFactory.getDefault();
  private static final int LESS_THAN_A_CONNECT_SECONDS = 8;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void leavesTheOtherAddressesAtItsTimeLimit(int addresses) throws Exception {
    try (var hole = new BlackHole()) {
      var running =
          RunningHandler.start(
              http(addresses), request("http", hole.port(), "300ms"), FakeJob.first());

      assertThat(soon(running.end()))
          .hasMessage("GET http://example.test:%d/: no answer within 300ms", hole.port());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void leavesTheOtherAddressesWhenItIsCancelled(int addresses) throws Exception {
    try (var hole = new BlackHole()) {
      var job = FakeJob.first();
      var running = RunningHandler.start(http(addresses), request("http", hole.port(), null), job);
      BoundedWaits.until("it connects", () -> BlackHole.holds(running.thread()));

      job.cancel();

      assertThat(soon(running.end())).isInstanceOf(CancelledException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void keepsNobodyWaitingWhileItConnects(int addresses) throws Exception {
    try (var hole = new BlackHole()) {
      var connection = connection("http", hole.port());
      var end = new CompletableFuture<@Nullable Object>();
      var thread = Thread.ofVirtual().start(() -> complete(end, connection, addresses));
      BoundedWaits.until("it connects", () -> BlackHole.holds(thread));

      var aborted = new CompletableFuture<@Nullable Object>();
      Thread.ofVirtual()
          .start(
              () -> {
                connection.abort();
                aborted.complete(null);
              });

      aborted.get(LESS_THAN_A_CONNECT_SECONDS, TimeUnit.SECONDS);
      assertThat(soon(end)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void beginsNoOtherHandshakeAfterACancel() throws Exception {
    try (var server = new ServerSocket(0)) {
      server.setSoTimeout(20_000);
      var job = FakeJob.first();
      var running =
          RunningHandler.start(http(3), request("https", server.getLocalPort(), null), job);
      try (var first = server.accept()) {
        // The first byte of a ClientHello.
        assertThat(first.getInputStream().read()).isEqualTo(22);

        job.cancel();

        assertThat(soon(running.end())).isInstanceOf(CancelledException.class);
        try (var ours = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
            var next = server.accept()) {
          assertThat(next.getPort()).isEqualTo(ours.getLocalPort());
        }
      }
    }
  }

  @Test
  void staysWithTheAddressThatAccepts() throws Exception {
    try (var server = new ServerSocket(0)) {
      server.setSoTimeout(20_000);
      var running =
          RunningHandler.start(
              http(3), request("https", server.getLocalPort(), null), FakeJob.first());

      server.accept().close();

      assertThat(soon(running.end())).isInstanceOf(HandlerFailedException.class);
      try (var ours = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
          var next = server.accept()) {
        assertThat(next.getPort()).isEqualTo(ours.getLocalPort());
      }
    }
  }

  private static void complete(
      CompletableFuture<@Nullable Object> end, HttpConnection connection, int addresses) {
    try {
      end.complete(connection.exchange(loopbacks(addresses)));
    } catch (Throwable failure) {
      end.completeExceptionally(failure);
    }
  }

  private static Throwable soon(CompletableFuture<@Nullable Object> end) throws Exception {
    try {
      throw new AssertionError(
          "returned " + end.get(LESS_THAN_A_CONNECT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException failed) {
      return failed.getCause();
    }
  }

  private static HttpHandler http(int addresses) {
    return new HttpHandler(
        new AllowedHosts(Set.of("example.test")), true, host -> loopbacks(addresses), TLS);
  }

  private static HttpConnection connection(String scheme, int port) throws HandlerFailedException {
    var request = request(scheme, port, null);
    return new HttpConnection(HttpTarget.of(request.url()), HttpMessage.of(request, "key"), TLS);
  }

  private static Request request(String scheme, int port, @Nullable String timeout) {
    return new Request(null, scheme + "://example.test:" + port, null, null, timeout);
  }

  /// 127.0.0.1 and the addresses after it.
  private static List<InetAddress> loopbacks(int count) {
    var addresses = new ArrayList<InetAddress>();
    try {
      for (byte last = 1; last <= count; last++) {
        addresses.add(InetAddress.getByAddress(new byte[] {127, 0, 0, last}));
      }
    } catch (IOException wrong) {
      throw new AssertionError(wrong);
    }
    return addresses;
  }
}
