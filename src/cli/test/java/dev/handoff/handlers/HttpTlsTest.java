package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.handoff.handlers.HttpHandler.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TLS server with a certificate for `example.test`, whose address only the test's resolver knows.
@DisplayName("http over TLS")
class HttpTlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir static Path dir;

  private static HttpsServer server;
  private static SSLContext tls;
  private static final List<String> asked = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void startServer() throws Exception {
    tls = context(keyStore());
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          var session =
              (ExtendedSSLSession)
                  ((com.sun.net.httpserver.HttpsExchange) exchange).getSSLSession();
          asked.add(
              exchange.getRequestHeaders().getFirst("Host")
                  + " "
                  + session.getRequestedServerNames());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  static void stopServer() {
    server.stop(0);
  }

  @Test
  void namesTheHostInTheHandshake() throws Exception {
    int port = server.getAddress().getPort();

    http(tls.getSocketFactory()).handle(request("https://example.test:" + port), FakeJob.first());

    assertThat(asked)
        .singleElement()
        .asString()
        .startsWith("example.test:" + port)
        .contains("value=example.test");
  }

  @Test
  void trustsNoCertificateForAnotherName() {
    assertThatThrownBy(
            () ->
                http(tls.getSocketFactory())
                    .handle(
                        request("https://other.test:" + server.getAddress().getPort()),
                        FakeJob.first()))
        .isInstanceOf(HandlerFailedException.class)
        .hasMessageContaining("other.test");
  }

  @Test
  void trustsNoCertificateOfStrangers() {
    var usual = (SSLSocketFactory) SSLSocketFactory.getDefault();

    assertThatThrownBy(
            () ->
                http(usual)
                    .handle(
                        request("https://example.test:" + server.getAddress().getPort()),
                        FakeJob.first()))
        .isInstanceOf(HandlerFailedException.class);
  }

  private static HttpHandler http(SSLSocketFactory factory) {
    var hosts = new AllowedHosts(Set.of("example.test", "other.test"));
    return new HttpHandler(hosts, true, host -> List.of(InetAddress.getLoopbackAddress()), factory);
  }

  private static Request request(String url) {
    return new Request(null, url, null, null, "20s");
  }

  private static KeyStore keyStore()
      throws IOException, InterruptedException, GeneralSecurityException {
    var file = dir.resolve("keys.p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var made =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=example.test",
                "-ext",
                "san=dns:example.test",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(made.waitFor()).as(new String(made.getInputStream().readAllBytes())).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
    var ours = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    ours.init(keys, PASSWORD);
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    var context = SSLContext.getInstance("TLS");
    context.init(ours.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }
}
