package dev.handoff.handlers;

import dev.handoff.internal.text.SafeText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// HTTP response, read up to our limits.
///
/// @param truncated whether the body was longer
record HttpReply(int status, Map<String, String> headers, String body, boolean truncated) {

  private static final int MOST_HEAD = 16 * 1024;
  private static final int MOST_BODY = 64 * 1024;

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  static HttpReply read(InputStream stream, String method) throws IOException {
    var in = new Reader(new BufferedInputStream(stream));
    int status = in.status();
    var headers = in.headers();
    while (status < 200) {
      status = in.status();
      headers = in.headers();
    }
    boolean empty = method.equals("HEAD") || status == 204 || status == 304;
    var body = empty ? new byte[0] : in.body(headers);
    var text =
        SafeText.clean(
            new String(body, 0, Math.min(body.length, MOST_BODY), charset(headers)),
            Integer.MAX_VALUE);
    var kept = JsonBound.start(text);
    return new HttpReply(
        status, headers, kept, body.length > MOST_BODY || kept.length() < text.length());
  }

  private static Charset charset(Map<String, String> headers) {
    var type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
    int at = type.indexOf("charset=");
    if (at < 0) {
      return StandardCharsets.UTF_8;
    }
    try {
      return Charset.forName(type.substring(at + 8).split("[;\\s]", 2)[0].replace("\"", ""));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return StandardCharsets.UTF_8;
    }
  }

  /// Parser of a response, in wire order.
  private static final class Reader {
    private final InputStream in;
    private int headLeft = MOST_HEAD;

    Reader(InputStream in) {
      this.in = in;
    }

    int status() throws IOException {
      var line = line();
      if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
        throw new IOException("the answer is not HTTP/1.1");
      }
      return Integer.parseInt(line.substring(9, 12));
    }

    Map<String, String> headers() throws IOException {
      var headers = new TreeMap<String, String>();
      for (var line = line(); !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        if (colon < 1) {
          throw new IOException("the answer has a malformed header");
        }
        var name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        headers.merge(name, line.substring(colon + 1).strip(), (one, other) -> one + ", " + other);
      }
      return headers;
    }

    /// Reads one byte beyond the limit, to detect a longer body.
    byte[] body(Map<String, String> headers) throws IOException {
      if (headers
          .getOrDefault("transfer-encoding", "")
          .toLowerCase(Locale.ROOT)
          .endsWith("chunked")) {
        return chunks();
      }
      var length = headers.get("content-length");
      if (length == null) {
        return in.readNBytes(MOST_BODY + 1);
      }
      if (!length.matches("\\d{1,18}")) {
        throw new IOException("the answer has a malformed Content-Length");
      }
      return exactly((int) Math.min(Long.parseLong(length), MOST_BODY + 1));
    }

    private byte[] chunks() throws IOException {
      var body = new ByteArrayOutputStream();
      while (body.size() <= MOST_BODY) {
        headLeft = MOST_HEAD;
        var size = line().split(";", 2)[0].strip();
        if (!size.matches("[0-9A-Fa-f]{1,15}")) {
          throw new IOException("the answer has a malformed chunk");
        }
        long count = Long.parseLong(size, 16);
        if (count == 0) {
          return body.toByteArray();
        }
        body.writeBytes(exactly((int) Math.min(count, MOST_BODY + 1 - body.size())));
        if (body.size() <= MOST_BODY) {
          line();
        }
      }
      return body.toByteArray();
    }

    private byte[] exactly(int count) throws IOException {
      var bytes = in.readNBytes(count);
      if (bytes.length < count) {
        throw new EOFException("the answer ended too early");
      }
      return bytes;
    }

    private String line() throws IOException {
      var line = new ByteArrayOutputStream();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new EOFException("the answer ended too early");
        }
        if (headLeft-- == 0) {
          throw new IOException("the answer's head is longer than %d bytes".formatted(MOST_HEAD));
        }
        line.write(c);
      }
      return line.toString(StandardCharsets.ISO_8859_1)
          .replaceAll("\\p{Cntrl}", " ")
          .stripTrailing();
    }
  }
}
