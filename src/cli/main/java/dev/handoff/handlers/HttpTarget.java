package dev.handoff.handlers;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Parsed and validated URL of a request.
///
/// @param host host name, without the brackets of an IPv6 address
/// @param resource path and query, as in the request line
record HttpTarget(boolean tls, String host, int port, String resource, String path) {

  static HttpTarget of(@Nullable String url) throws HandlerFailedException {
    if (url == null) {
      throw new HandlerFailedException(
          "http needs a url, such as {\"url\": \"https://example.org/\"}");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(url)) {
      throw new HandlerFailedException("url is malformed: half of a character (a lone surrogate)");
    }
    try {
      return of(new URI(url));
    } catch (URISyntaxException malformed) {
      throw new HandlerFailedException(
          "url is malformed: %s at character %d"
              .formatted(malformed.getReason(), malformed.getIndex() + 1));
    }
  }

  private static HttpTarget of(URI uri) throws HandlerFailedException {
    boolean tls = "https".equalsIgnoreCase(uri.getScheme());
    if (!tls && !"http".equalsIgnoreCase(uri.getScheme())) {
      throw new HandlerFailedException("url must begin with http:// or https://");
    }
    if (uri.getHost() == null || uri.getHost().isEmpty()) {
      throw new HandlerFailedException("url names no host");
    }
    if (uri.getRawUserInfo() != null) {
      throw new HandlerFailedException(
          "url must not carry a user or password: send an Authorization header");
    }
    int port = uri.getPort() == -1 ? (tls ? 443 : 80) : uri.getPort();
    if (port < 1 || port > 65_535) {
      throw new HandlerFailedException("port %d does not exist".formatted(port));
    }
    var ascii = URI.create(uri.toASCIIString());
    var query = ascii.getRawQuery() == null ? "" : "?" + ascii.getRawQuery();
    return new HttpTarget(tls, bare(uri.getHost()), port, path(ascii) + query, path(uri));
  }

  /// Value of the `Host` header.
  String authority() {
    var name = host.contains(":") ? "[" + host + "]" : host;
    return port == (tls ? 443 : 80) ? name : name + ":" + port;
  }

  /// URL without its query, which may contain secrets.
  @Override
  public String toString() {
    return (tls ? "https://" : "http://") + authority() + path;
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static String path(URI uri) {
    return uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
  }
}
