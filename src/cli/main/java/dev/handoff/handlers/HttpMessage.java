package dev.handoff.handlers;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/// HTTP request without its target: method, headers and body, validated against header injection.
///
/// @param headers headers by case-insensitive name
record HttpMessage(String method, Map<String, String> headers, byte[] body) {

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OURS =
      Set.of(
          "host",
          "content-length",
          "transfer-encoding",
          "connection",
          "upgrade",
          "expect",
          "te",
          "trailer",
          "keep-alive");
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7E\\x80-\\xFF\\t]{0,8192}");

  /// @param idempotencyKey key by which a server recognises repeated requests; a caller's own key
  ///   has precedence
  static HttpMessage of(HttpHandler.Request request, String idempotencyKey)
      throws HandlerFailedException {
    var method = request.method() == null ? "GET" : request.method().toUpperCase(Locale.ROOT);
    if (!METHODS.contains(method)) {
      throw new HandlerFailedException(
          "method must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    }
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    headers.put("User-Agent", "handoff");
    headers.put("Accept", "*/*");
    if (!SAFE_METHODS.contains(method)) {
      headers.put("Idempotency-Key", idempotencyKey);
    }
    var body = body(request.body(), headers);
    for (var header :
        (request.headers() == null ? Map.<String, String>of() : request.headers()).entrySet()) {
      headers.put(checkedName(header.getKey()), checkedValue(header.getKey(), header.getValue()));
    }
    return new HttpMessage(method, headers, body);
  }

  /// The request to a target.
  HttpUriRequestBase to(HttpTarget target) {
    var request = new HttpUriRequestBase(method, URI.create("/"));
    request.setPath(target.resource());
    request.setHeader("Host", target.authority());
    request.setHeader("Connection", "close");
    headers.forEach(request::setHeader);
    if (body.length > 0 || !SAFE_METHODS.contains(method)) {
      request.setEntity(new ByteArrayEntity(body, null));
    }
    return request;
  }

  private static byte[] body(@Nullable JsonNode body, Map<String, String> headers) {
    if (body == null || body.isNull()) {
      return new byte[0];
    }
    headers.put(
        "Content-Type", body.isTextual() ? "text/plain; charset=utf-8" : "application/json");
    return (body.isTextual() ? body.textValue() : body.toString()).getBytes(StandardCharsets.UTF_8);
  }

  private static String checkedName(String name) throws HandlerFailedException {
    if (!NAME.matcher(name).matches()) {
      throw new HandlerFailedException("a header's name must have letters, digits and - only");
    }
    var lower = name.toLowerCase(Locale.ROOT);
    if (OURS.contains(lower) || lower.startsWith("proxy-")) {
      throw new HandlerFailedException(
          "header \"%s\" is set by the handler itself".formatted(name));
    }
    return name;
  }

  private static String checkedValue(String name, @Nullable String value)
      throws HandlerFailedException {
    if (value == null || !VALUE.matcher(value).matches()) {
      throw new HandlerFailedException(
          "the value of header \"%s\" must be one line of plain text".formatted(name));
    }
    return value;
  }
}
