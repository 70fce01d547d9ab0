package dev.handoff.handlers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/// Loopback server that answers every request with the same bytes, and records the requests.
final class RawServer implements AutoCloseable {

  final List<String> heads = new CopyOnWriteArrayList<>();
  final CountDownLatch asked = new CountDownLatch(1);

  private final ServerSocket server;
  private final byte[] answer;
  private final After after;

  /// Conduct after the answer.
  private enum After {
    HANG_UP,
    SEND_ON,
    WAIT
  }

  private RawServer(byte[] answer, After after) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answer = answer;
    this.after = after;
    Thread.ofVirtual().start(this::serve);
  }

  static RawServer answering(String answer) throws IOException {
    return new RawServer(answer.getBytes(StandardCharsets.ISO_8859_1), After.HANG_UP);
  }

  static RawServer answering(byte[] answer) throws IOException {
    return new RawServer(answer, After.HANG_UP);
  }

  /// Server whose answer never ends.
  static RawServer endless(String start) throws IOException {
    return new RawServer(start.getBytes(StandardCharsets.ISO_8859_1), After.SEND_ON);
  }

  /// Server that stops in the middle of its answer.
  static RawServer silentAfter(String start) throws IOException {
    return new RawServer(start.getBytes(StandardCharsets.ISO_8859_1), After.WAIT);
  }

  /// Server that accepts requests and never answers.
  static RawServer silent() throws IOException {
    return new RawServer(new byte[0], After.WAIT);
  }

  int port() {
    return server.getLocalPort();
  }

  private void serve() {
    try {
      while (true) {
        var client = server.accept();
        Thread.ofVirtual().start(() -> answer(client));
      }
    } catch (IOException closed) {
      // The test has ended.
    }
  }

  private void answer(Socket client) {
    try {
      heads.add(head(client.getInputStream()));
      asked.countDown();
      client.getOutputStream().write(answer);
      client.getOutputStream().flush();
      switch (after) {
        case HANG_UP -> client.close();
        case SEND_ON -> sendOn(client);
        case WAIT -> {}
      }
    } catch (IOException gone) {
      // The client has closed the connection.
    }
  }

  private static void sendOn(Socket client) throws IOException {
    var more = "x".repeat(4096).getBytes(StandardCharsets.ISO_8859_1);
    while (true) {
      client.getOutputStream().write(more);
    }
  }

  private static String head(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
