package dev.handoff.handlers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Connection to one of the checked addresses. The host name is not resolved again, so the checked
/// address is the connected one. The name still appears in the `Host` header and the TLS handshake,
/// and the certificate must match it.
final class HttpConnection implements AutoCloseable {

  private static final int CONNECT_MILLIS = 10_000;

  private volatile Socket socket = new Socket();
  private volatile boolean closed;

  /// Sends the message to the first address that accepts a connection, and reads the reply.
  HttpReply exchange(
      HttpTarget target, List<InetAddress> addresses, HttpMessage message, SSLSocketFactory tls)
      throws IOException {
    connect(addresses, target.port());
    try (var channel = target.tls() ? secured(target, tls) : socket) {
      var out = channel.getOutputStream();
      out.write(message.head(target));
      out.write(message.body());
      out.flush();
      return HttpReply.read(channel.getInputStream(), message.method());
    }
  }

  /// Interrupts any blocking operation of the connection. Thread-safe, at any time.
  void abort() {
    closed = true;
    closeSocket();
  }

  @Override
  public void close() {
    abort();
  }

  private void connect(List<InetAddress> addresses, int port) throws IOException {
    IOException last = new IOException("it has no address");
    for (var address : addresses) {
      socket = new Socket();
      if (closed) {
        throw new SocketException("closed");
      }
      try {
        socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
        return;
      } catch (IOException refused) {
        closeSocket();
        last = refused;
      }
    }
    throw last;
  }

  private SSLSocket secured(HttpTarget target, SSLSocketFactory tls) throws IOException {
    var secured = (SSLSocket) tls.createSocket(socket, target.host(), target.port(), true);
    var parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException already) {
      // A failure to close needs no reaction.
    }
  }
}
