package dev.handoff.handlers;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.UnsupportedHttpVersionException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/// Parser of the head of a response that refuses a head without its empty line, and one of a
/// version other than HTTP/1.0 and HTTP/1.1. The parser of the library takes the end of the stream
/// for the empty line, and a broken connection would be a success.
final class WholeHeadParser extends DefaultHttpResponseParser {

  private static final Set<ProtocolVersion> VERSIONS =
      Set.of(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1);

  WholeHeadParser(Http1Config limits) {
    super(limits);
  }

  @Override
  public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in)
      throws IOException, HttpException {
    var head = super.parse(buffer, new Endless(in));
    if (!VERSIONS.contains(head.getVersion())) {
      throw new UnsupportedHttpVersionException(head.getVersion());
    }
    return head;
  }

  /// Stream that may not end.
  private static final class Endless extends FilterInputStream {

    Endless(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = super.read(bytes, from, length);
      if (count < 0) {
        throw new ConnectionClosedException();
      }
      return count;
    }
  }
}
