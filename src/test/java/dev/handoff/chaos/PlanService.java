package dev.handoff.chaos;

import dev.handoff.Around;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.chaos.Journal.What;
import dev.handoff.plan.apply.HaltingApplies;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.History;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/// A service that embeds Handoff and has plans, in a JVM of its own, and its only client. Works
/// until it is killed, or terminated, or told to `finish` on its standard input.
///
/// Told what to do by arguments of the form `name=value`: `journal`, `dir`, `stories` (what its
/// client lives through, over and over), `seed`, `halt` (a [HaltingStore.Point]), `apply` (a
/// [HaltingApplies.Point]), `without` (a protection that is taken away), and settings of the
/// engine.
final class PlanService {

  private static final int LEFT_ALONE = 99;

  /// What the process ends with when its client sees what it should not.
  static final int WRONG = 98;

  private static final int COMMITS = 20;
  private static final Duration GRACE = Duration.ofMillis(10);
  private static final Duration ABANDON = Duration.ofMillis(40);

  private final Journal journal;
  private final Handoff handoff;
  private final Sites sites;
  private final PlanClient client;
  private final CompletableFuture<Void> worked = new CompletableFuture<>();
  private volatile boolean closing;

  private PlanService(Map<String, String> told) throws IOException {
    var path = Path.of(told.remove("journal"));
    journal = Journal.spoken(path);
    var bench = new PlanBench(new History(this::tell), new ChangeHistory(this::tell));
    handoff = configured(bench.furnish(Handoff.builder()), told).start();
    sites = new Sites(handoff, journal, path);
    client = new PlanClient(handoff, bench, journal, sites);
  }

  public static void main(String[] arguments) throws IOException {
    var told = new HashMap<String, String>();
    for (var argument : arguments) {
      var parts = argument.split("=", 2);
      told.put(parts[0], parts[1]);
    }
    var stories = stories(told.remove("stories"));
    var random = new Random(Long.parseLong(Objects.requireNonNullElse(told.remove("seed"), "1")));
    var service = new PlanService(told);
    Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    service.journal.say(What.UP);
    Thread.ofPlatform().daemon().start(service::obey);
    service.work(stories, random);
    // Whoever has started it says when it is enough.
    new CompletableFuture<Void>().join();
  }

  private static List<Story> stories(String names) {
    return names == null ? List.of() : Stream.of(names.split(",")).map(Story::valueOf).toList();
  }

  private void tell(History.Entry entry) {
    switch (entry) {
      case History.Entered(var job, int attempt) ->
          journal.say(What.BEGIN, job, attempt, "default");
      case History.Left(var job, int attempt) -> journal.say(What.END, job, attempt);
      case History.Entry other -> throw new IllegalArgumentException(other.toString());
    }
  }

  private void tell(ChangeHistory.Entry entry) {
    ChangeLines.write(entry, journal);
  }

  private static HandoffBuilder configured(HandoffBuilder builder, Map<String, String> told) {
    builder.directory(Path.of(told.remove("dir"))).workers(32).cancelling(GRACE, ABANDON);
    var without = Objects.requireNonNullElse(told.remove("without"), "");
    var halt = told.remove("halt");
    if (halt != null) {
      Around.store(builder, inner -> new HaltingStore(inner, HaltingStore.Point.parse(halt)));
    }
    if (without.equals("commits")) {
      Around.store(builder, inner -> new Unprotected.ForgetfulStore(inner, COMMITS));
    }
    var apply = told.remove("apply");
    if (apply != null) {
      var point = HaltingApplies.Point.parse(apply);
      var missing = without.equals("certainty") ? HaltingApplies.CERTAINTY : HaltingApplies.NOTHING;
      Around.applies(
          builder, contents -> new HaltingApplies(contents, point, missing, PlanService::halt));
    }
    told.forEach(builder::set);
    return builder;
  }

  private static void halt() {
    Runtime.getRuntime().halt(HaltingStore.EXIT_CODE);
  }

  private void work(List<Story> stories, Random random) {
    try {
      sites.lookAtTheRest();
      client.work(stories, random);
      worked.complete(null);
    } catch (RuntimeException | AssertionError wrong) {
      complain(wrong);
    }
  }

  /// Whatever an engine does that is being closed is no concern of this.
  private void complain(Throwable wrong) {
    if (!closing) {
      wrong.printStackTrace();
      Runtime.getRuntime().halt(WRONG);
    }
  }

  private void obey() {
    try (var orders = new BufferedReader(new InputStreamReader(System.in))) {
      for (var order = orders.readLine(); order != null; order = orders.readLine()) {
        if (!order.equals("finish")) {
          throw new IOException("unknown: " + order);
        }
        finish();
      }
    } catch (IOException cut) {
      // As if it had ended.
    } catch (RuntimeException | AssertionError wrong) {
      complain(wrong);
    }
    Runtime.getRuntime().halt(LEFT_ALONE);
  }

  private void finish() {
    client.stop();
    worked.join();
    client.finish();
    close();
  }

  /// What an embedding service does when it is told to terminate: an orderly end is a success.
  private void close() {
    closing = true;
    handoff.close();
    journal.say(What.CLOSED);
    Runtime.getRuntime().halt(0);
  }
}
