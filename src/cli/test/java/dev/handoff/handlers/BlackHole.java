package dev.handoff.handlers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/// Port of all loopback addresses that neither accepts nor refuses a connection: its queue is full.
final class BlackHole implements AutoCloseable {

  private static final int FILLING_MILLIS = 500;
  private static final int MOST = 20;

  private final ServerSocket server = new ServerSocket(0, 1);
  private final List<Socket> queue = new ArrayList<>();

  BlackHole() throws IOException {
    while (queue.size() < MOST) {
      var next = new Socket();
      queue.add(next);
      try {
        next.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), FILLING_MILLIS);
      } catch (SocketTimeoutException full) {
        return;
      }
    }
    close();
    throw new IOException("the queue of a server has no end");
  }

  int port() {
    return server.getLocalPort();
  }

  /// Whether a thread waits for a connection.
  static boolean holds(Thread thread) {
    for (var frame : thread.getStackTrace()) {
      if (frame.getClassName().equals(Socket.class.getName())
          && frame.getMethodName().equals("connect")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    for (var waiting : queue) {
      waiting.close();
    }
    server.close();
  }
}
