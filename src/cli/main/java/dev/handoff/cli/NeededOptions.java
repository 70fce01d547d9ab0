package dev.handoff.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.handoff.JobInfo;
import dev.handoff.handlers.BuiltInHandlers;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Command-line options that jobs need in order to run, derived from their types and payloads.
final class NeededOptions {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private NeededOptions() {}

  /// Options with leading blanks; empty if none are needed.
  ///
  /// @param types types of all jobs
  /// @param jobs known jobs
  static String of(Set<String> types, Collection<JobInfo> jobs) {
    return (types.contains(BuiltInHandlers.EXEC) ? " --allow-exec" : "")
        + (types.contains(BuiltInHandlers.HTTP) ? hosts(jobs) : "");
  }

  private static String hosts(Collection<JobInfo> jobs) {
    var hosts = new TreeSet<String>();
    jobs.stream()
        .filter(job -> job.type().equals(BuiltInHandlers.HTTP))
        .flatMap(job -> host(job).stream())
        .forEach(hosts::add);
    if (hosts.isEmpty()) {
      return " --allow-http HOST";
    }
    var words = new StringBuilder();
    hosts.forEach(host -> words.append(NextCommand.option("--allow-http", host)));
    return isPublic(hosts) ? words.toString() : words + " --allow-http-private";
  }

  /// Host of an `http` job, with the port if the URL has one.
  private static Optional<String> host(JobInfo job) {
    try {
      var uri = new URI(MAPPER.readTree(job.payload().utf8()).path("url").asText());
      return Optional.ofNullable(uri.getHost())
          .map(host -> uri.getPort() == -1 ? host : host + ":" + uri.getPort());
    } catch (URISyntaxException | IOException none) {
      return Optional.empty();
    }
  }

  private static boolean isPublic(Set<String> hosts) {
    return BuiltInHandlers.Settings.SAFE.withHttp(hosts, false).problems().isEmpty();
  }
}
