package dev.handoff.handlers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.io.CloseMode;

/// One request to a host, and its reply. The connection is made to one of the checked addresses:
/// the host name is not resolved again. The name still appears in the `Host` header and the TLS
/// handshake, and the certificate must match it.
///
/// The client has no redirects, retries, cookies, proxies, authentication or compression.
final class HttpConnection {

  private static final int CONNECT_SECONDS = 10;
  private static final int MOST_HEADERS = 256;

  private final HttpTarget target;
  private final HttpMessage message;
  private final SSLSocketFactory tls;
  private final AbortableSockets sockets = new AbortableSockets();

  HttpConnection(HttpTarget target, HttpMessage message, SSLSocketFactory tls) {
    this.target = target;
    this.message = message;
    this.tls = tls;
  }

  /// Sends the message to the first address that accepts a connection, and reads the reply.
  HttpReply exchange(List<InetAddress> addresses) throws IOException {
    var rest = addresses.iterator();
    while (true) {
      try {
        return exchange(rest.next());
      } catch (IOException failed) {
        if (!rest.hasNext() || !sockets.mayTryAnother()) {
          throw named(failed);
        }
      }
    }
  }

  /// The client gets one address at a time: it would take an abort for a failed address.
  private HttpReply exchange(InetAddress address) throws IOException {
    var client = HttpClients.createMinimal(connections(address));
    try {
      var host = new HttpHost(target.tls() ? "https" : "http", target.host(), target.port());
      return HttpReply.read(client.executeOpen(host, message.to(target), null));
    } finally {
      // The rest of a long body is not read.
      client.close(CloseMode.IMMEDIATE);
    }
  }

  /// Interrupts any blocking operation of the connection, or keeps it from being made. Thread-safe,
  /// at any time; it returns at once.
  void abort() {
    sockets.abort();
  }

  private BasicHttpClientConnectionManager connections(InetAddress address) {
    var limits =
        Http1Config.custom()
            .setMaxLineLength(HttpReply.MOST_HEAD)
            .setMaxHeaderCount(MOST_HEADERS)
            .build();
    var messages =
        ManagedHttpClientConnectionFactory.builder()
            .http1Config(limits)
            .responseParserFactory(WholeHeadParser::new)
            .build();
    var strategies =
        RegistryBuilder.<TlsSocketStrategy>create()
            .register("https", (socket, name, port, attachment, context) -> secured(socket))
            .build();
    var operator =
        new DefaultHttpClientConnectionOperator(sockets, null, new Pinned(address), strategies);
    var connections = new BasicHttpClientConnectionManager(operator, messages);
    connections.setConnectionConfig(
        ConnectionConfig.custom().setConnectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS).build());
    return connections;
  }

  private SSLSocket secured(Socket socket) throws IOException {
    var secured = (SSLSocket) tls.createSocket(socket, target.host(), target.port(), true);
    var parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  /// Resolver that knows one checked address, and nothing else.
  private record Pinned(InetAddress address) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) {
      return new InetAddress[] {address};
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  private static IOException named(IOException failed) {
    return switch (failed) {
      case HttpHostConnectException refused when refused.getCause() instanceof IOException why ->
          why;
      case ConnectTimeoutException late -> new IOException("no connection within 10 s", late);
      case MessageConstraintException tooLong -> HttpReply.tooLong();
      case ConnectionClosedException early -> new IOException("the answer ended too early", early);
      case MalformedChunkCodingException wrong ->
          new IOException("the answer has a malformed chunk", wrong);
      case ClientProtocolException wrong -> new IOException("the answer is not HTTP/1.1", wrong);
      default -> failed;
    };
  }
}
