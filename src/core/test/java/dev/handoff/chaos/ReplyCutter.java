package dev.handoff.chaos;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Proxy between an engine and PostgreSQL. When armed, the next batch is committed by the server,
/// but its reply is dropped and the connection is closed: the outcome is unknown to the engine.
final class ReplyCutter implements AutoCloseable {

  private static final String BATCH = "INSERT INTO handoff_ledger";

  private final ServerSocket door;
  private final int server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger armed = new AtomicInteger();
  private final AtomicInteger cut = new AtomicInteger();

  /// @param server port of the server
  ReplyCutter(int server) {
    try {
      this.server = server;
      this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Thread.ofVirtual().start(this::welcome);
  }

  int port() {
    return door.getLocalPort();
  }

  /// Drops the replies to this number of further batches.
  void arm(int batches) {
    armed.addAndGet(batches);
  }

  /// Number of dropped replies.
  int cut() {
    return cut.get();
  }

  private void welcome() {
    try {
      while (true) {
        var client = door.accept();
        var upstream = new Socket(InetAddress.getLoopbackAddress(), server);
        sockets.addAll(List.of(client, upstream));
        var wire = new Wire(client, upstream);
        Thread.ofVirtual().start(wire::questions);
        Thread.ofVirtual().start(wire::answers);
      }
    } catch (IOException closed) {
      // The proxy is closed.
    }
  }

  /// Proxied connection. Client messages are parsed one by one; server bytes are forwarded as they
  /// arrive, until a reply has to be dropped.
  private final class Wire {

    private final Socket client;
    private final Socket upstream;
    private volatile boolean cutting;

    Wire(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    private void questions() {
      try {
        var in = new DataInputStream(client.getInputStream());
        var out = upstream.getOutputStream();
        out.write(startup(in));
        Set<String> batches = new HashSet<>();
        while (true) {
          int type = in.readUnsignedByte();
          var body = in.readNBytes(in.readInt() - Integer.BYTES);
          if (type == 'P' && text(body).contains(BATCH)) {
            batches.add(name(body, 0));
          }
          if (type == 'B' && batches.contains(name(body, name(body, 0).length() + 1)) && take()) {
            cutting = true;
          }
          send(out, type, body);
        }
      } catch (IOException ended) {
        end();
      }
    }

    private boolean take() {
      return armed.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    /// The first message of the protocol has no type byte.
    private static byte[] startup(DataInputStream in) throws IOException {
      int length = in.readInt();
      return ByteBuffer.allocate(length)
          .putInt(length)
          .put(in.readNBytes(length - Integer.BYTES))
          .array();
    }

    private static void send(OutputStream out, int type, byte[] body) throws IOException {
      var message = ByteBuffer.allocate(1 + Integer.BYTES + body.length);
      message.put((byte) type).putInt(Integer.BYTES + body.length).put(body);
      out.write(message.array());
      out.flush();
    }

    private static String text(byte[] body) {
      return new String(body, StandardCharsets.ISO_8859_1);
    }

    private static String name(byte[] body, int from) {
      return text(body).substring(from, text(body).indexOf('\0', from));
    }

    /// A dropped reply was sent by the server, so the batch is committed.
    private void answers() {
      try (InputStream in = upstream.getInputStream()) {
        var out = client.getOutputStream();
        var buffer = new byte[65_536];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          if (cutting) {
            cut.incrementAndGet();
            break;
          }
          out.write(buffer, 0, length);
          out.flush();
        }
      } catch (IOException ended) {
        // The peer has closed its connection.
      }
      end();
    }

    private void end() {
      try {
        client.close();
        upstream.close();
      } catch (IOException already) {
        // The socket is already closed.
      }
    }
  }

  @Override
  public void close() {
    try {
      door.close();
      for (var socket : sockets) {
        socket.close();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
