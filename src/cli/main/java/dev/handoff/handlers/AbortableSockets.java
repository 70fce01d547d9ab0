package dev.handoff.handlers;

import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.jspecify.annotations.Nullable;

/// Sockets of one request, one after the other, none of them through a proxy of the JVM. An abort
/// closes the current socket, and no other one is made. It never blocks: the HTTP client's own
/// cancel waits for a lock that the client holds while it connects.
final class AbortableSockets implements DetachedSocketFactory {

  private volatile @Nullable Socket current;
  private volatile boolean aborted;

  @Override
  public Socket create(@Nullable Proxy proxy) throws IOException {
    var socket = new Socket(Proxy.NO_PROXY);
    current = socket;
    // The flag is read after the write: an abort sees the socket, or is seen here.
    if (aborted) {
      socket.close();
      throw new IOException("the request was aborted");
    }
    return socket;
  }

  /// Whether another address may be tried: no connection was made, so no byte was sent.
  boolean mayTryAnother() {
    var last = current;
    return !aborted && (last == null || !last.isConnected());
  }

  /// Interrupts any blocking operation of the current socket. Thread-safe, at any time.
  void abort() {
    aborted = true;
    var socket = current;
    if (socket == null) {
      return;
    }
    try (socket) {
      // What was not sent yet is dropped.
      socket.setSoLinger(true, 0);
    } catch (IOException closed) {
      // The exchange has ended.
    }
  }
}
