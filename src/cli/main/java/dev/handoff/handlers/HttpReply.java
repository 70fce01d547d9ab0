package dev.handoff.handlers;

import dev.handoff.internal.text.SafeText;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hc.core5.http.ClassicHttpResponse;

/// HTTP response, read up to our limits.
///
/// @param truncated whether the body was longer
record HttpReply(int status, Map<String, String> headers, String body, boolean truncated) {

  /// Maximum size of the headers.
  static final int MOST_HEAD = 16 * 1024;

  private static final int MOST_BODY = 64 * 1024;

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /// Reads a response, one byte beyond the limit of a body to detect a longer one.
  static HttpReply read(ClassicHttpResponse response) throws IOException {
    if (response.getCode() > 599) {
      throw new IOException("the answer is not HTTP/1.1");
    }
    var headers = headers(response);
    var content = response.getEntity() == null ? null : response.getEntity().getContent();
    var body = content == null ? new byte[0] : content.readNBytes(MOST_BODY + 1);
    var text =
        SafeText.clean(
            new String(body, 0, Math.min(body.length, MOST_BODY), charset(headers)),
            Integer.MAX_VALUE);
    var kept = JsonBound.start(text);
    return new HttpReply(
        response.getCode(),
        headers,
        kept,
        body.length > MOST_BODY || kept.length() < text.length());
  }

  private static Map<String, String> headers(ClassicHttpResponse response) throws IOException {
    var headers = new TreeMap<String, String>();
    int size = 0;
    for (var header : response.getHeaders()) {
      size += header.getName().length() + header.getValue().length() + 4;
      if (size > MOST_HEAD) {
        throw tooLong();
      }
      var value = header.getValue().replaceAll("\\p{Cntrl}", " ").strip();
      headers.merge(
          header.getName().toLowerCase(Locale.ROOT), value, (one, other) -> one + ", " + other);
    }
    return headers;
  }

  static IOException tooLong() {
    return new IOException("the answer's head is longer than %d bytes".formatted(MOST_HEAD));
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
}
