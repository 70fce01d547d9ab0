package dev.handoff.handlers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.facade.BoundedWait;
import dev.handoff.internal.facade.CancellableWait;
import dev.handoff.internal.text.Durations;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// Handler that sends one HTTP request and waits for the response: `{"method": "POST", "url":
/// "https://example.org/hook", "body": {"a": 1}}`. A 2xx status is success; every other status is a
/// failure, including redirects, which are never followed.
///
/// Requests go to allowed hosts only. All addresses of a host are checked first, and the connection
/// uses a checked address: a change of the DNS entry in between has no effect.
final class HttpHandler implements JobHandler.Checking<HttpHandler.@Nullable Request> {

  private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);
  private static final int MOST_ERROR = 500;

  /// @param method HTTP method; GET by default
  /// @param body body: text unchanged, other values as JSON
  /// @param timeout time limit of the whole request, in the form of [Durations#parse]; 30 s by
  ///   default
  record Request(
      @Nullable String method,
      @Nullable String url,
      @Nullable Map<String, @Nullable String> headers,
      @Nullable JsonNode body,
      @Nullable String timeout) {}

  /// DNS resolver.
  interface Names {
    List<InetAddress> lookUp(String host) throws UnknownHostException;
  }

  private final AllowedHosts hosts;
  private final boolean privateAddresses;
  private final Names names;
  private final SSLSocketFactory tls;

  HttpHandler(AllowedHosts hosts, boolean privateAddresses, Names names, SSLSocketFactory tls) {
    this.hosts = hosts;
    this.privateAddresses = privateAddresses;
    this.names = names;
    this.tls = tls;
  }

  /// @param privateAddresses whether hosts may have non-public addresses
  static HttpHandler to(Set<String> hosts, boolean privateAddresses) {
    return new HttpHandler(
        new AllowedHosts(hosts),
        privateAddresses,
        host -> List.of(InetAddress.getAllByName(host)),
        (SSLSocketFactory) SSLSocketFactory.getDefault());
  }

  @Override
  public void check(@Nullable Request request) throws HandlerFailedException {
    target(request);
    HttpMessage.of(request, "");
    limit(request);
  }

  private HttpTarget target(@Nullable Request request) throws HandlerFailedException {
    var target = HttpTarget.of(request == null ? null : request.url());
    if (!hosts.allow(target.host(), target.port())) {
      throw new RefusedHostException(
          "host \"%s\" is not allowed; allowed: %s".formatted(target.authority(), hosts));
    }
    var kind = LiteralAddress.notPublic(target.host());
    if (kind.isPresent() && !privateAddresses) {
      throw new RefusedHostException(
          ("host \"%s\" is %s address: only public ones are allowed"
                  + " without --allow-http-private")
              .formatted(target.host(), kind.get()));
    }
    return target;
  }

  private static Duration limit(Request request) {
    return request.timeout() == null ? USUAL_TIMEOUT : Durations.parse(request.timeout());
  }

  @Override
  public Object handle(@Nullable Request request, JobContext job) throws Exception {
    var target = target(request);
    var message = HttpMessage.of(request, job.id().value());
    var limit = limit(request);
    var reply = exchange(target, message, limit, job);
    if (reply.isSuccess()) {
      return reply;
    }
    throw new HandlerFailedException(
        "HTTP %d from %s %s%s".formatted(reply.status(), message.method(), target, words(reply)));
  }

  private HttpReply exchange(HttpTarget target, HttpMessage message, Duration limit, JobContext job)
      throws Exception {
    var deadline = deadline(limit);
    var connection = new HttpConnection(target, message, tls);
    deadline.whenComplete((none, late) -> connection.abort());
    try {
      job.cancellation()
          .onCancelUntil(deadline, CallbackThreads.chores(), why -> connection.abort());
      return connection.exchange(addresses(target.host(), deadline, job));
    } catch (IOException | TimeoutException failed) {
      job.cancellation().throwIfCancelled();
      throw new HandlerFailedException(
          "%s %s: %s"
              .formatted(
                  message.method(),
                  target,
                  deadline.isDone()
                      ? "no answer within " + Durations.exact(limit)
                      : reason(failed)));
    } finally {
      deadline.complete(null);
    }
  }

  /// Deadline of a call; it fails with a [TimeoutException]. Its thread ends with the call.
  private static CompletableFuture<Void> deadline(Duration limit) {
    var deadline = new CompletableFuture<Void>();
    Thread.ofVirtual()
        .name("handoff-http-deadline")
        .start(
            () -> {
              if (!BoundedWait.forEnd(deadline, limit)) {
                deadline.completeExceptionally(new TimeoutException());
              }
            });
    return deadline;
  }

  /// Addresses of a host, all of them permitted. A DNS look-up cannot be interrupted, so it runs on
  /// a separate thread, which is abandoned at the deadline or a cancel.
  private List<InetAddress> addresses(String host, CompletableFuture<Void> deadline, JobContext job)
      throws Exception {
    var found = CompletableFuture.supplyAsync(() -> lookedUp(host), HttpHandler::onItsOwnThread);
    CancellableWait.untilOrFail(CompletableFuture.anyOf(found, deadline), job.cancellation());
    for (var address : found.join()) {
      var kind = AddressRules.notPublic(address);
      if (kind.isPresent() && !privateAddresses) {
        throw new RefusedHostException(
            ("host \"%s\" is at %s, %s address: only public ones are allowed"
                    + " without --allow-http-private")
                .formatted(host, address.getHostAddress(), kind.get()));
      }
    }
    if (found.join().isEmpty()) {
      throw new IOException("it has no address");
    }
    return found.join();
  }

  private List<InetAddress> lookedUp(String host) {
    try {
      return names.lookUp(host);
    } catch (UnknownHostException unknown) {
      throw new CompletionException(unknown);
    }
  }

  private static void onItsOwnThread(Runnable lookUp) {
    Thread.ofPlatform().daemon().name("handoff-http-look-up").start(lookUp);
  }

  private static String reason(Exception failed) {
    return failed instanceof UnknownHostException
        ? "the host has no address"
        : failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
  }

  private static String words(HttpReply reply) {
    var location = reply.headers().get("location");
    if (location != null) {
      return ", which redirects to %s; redirects are not followed".formatted(location);
    }
    var body = reply.body().strip();
    return body.isEmpty() ? "" : ": " + body.substring(0, Math.min(body.length(), MOST_ERROR));
  }
}
