package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.plan.apply.HaltingApplies;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.ObservedHistory;
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

/// Service with plans and its only client, in a separate JVM. Works until it is killed, terminated,
/// or receives `finish` on standard input.
///
/// Arguments have the form `name=value`: `journal`, `dir`, `stories` (which the client acts out
/// repeatedly), `seed`, `halt` (a [HaltingStore.Point]), `apply` (a [HaltingApplies.Point]),
/// `without` (a protection to switch off), and engine settings.
final class PlanService {

  private static final int LEFT_ALONE = 99;

  /// Exit code when the client sees a violation.
  static final int WRONG = 98;

  private static final int COMMITS = 20;
  private static final Duration GRACE = Duration.ofMillis(10);
  private static final Duration ABANDON = Duration.ofMillis(40);

  private final ClientJournal journal;
  private final Handoff handoff;
  private final ApplySites sites;
  private final PlanClient client;
  private final CompletableFuture<Void> worked = new CompletableFuture<>();
  private volatile boolean closing;

  private PlanService(Map<String, String> told) throws IOException {
    var path = Path.of(told.remove("journal"));
    journal = ClientJournal.spoken(path);
    var bench = new PlanBench(new ObservedHistory(this::tell), new ChangeHistory(this::tell));
    handoff =
        configured((EngineBuilder) bench.furnish(EngineBuilder.withOwnSystem()), told).start();
    sites = new ApplySites(handoff, journal, path);
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
    // The parent process ends this one.
    new CompletableFuture<Void>().join();
  }

  private static List<ChaosPlans> stories(String names) {
    return names == null
        ? List.of()
        : Stream.of(names.split(",")).map(ChaosPlans::valueOf).toList();
  }

  private void tell(ObservedHistory.Entry entry) {
    switch (entry) {
      case ObservedHistory.Entered(var job, int attempt) ->
          journal.say(What.BEGIN, job, attempt, "default");
      case ObservedHistory.Left(var job, int attempt) -> journal.say(What.END, job, attempt);
      case ObservedHistory.Entry other -> throw new IllegalArgumentException(other.toString());
    }
  }

  private void tell(ChangeHistory.Entry entry) {
    ChangeLines.write(entry, journal);
  }

  private static EngineBuilder configured(EngineBuilder builder, Map<String, String> told) {
    builder.directory(Path.of(told.remove("dir"))).workers(32).cancelling(GRACE, ABANDON);
    var without = Objects.requireNonNullElse(told.remove("without"), "");
    var halt = told.remove("halt");
    if (halt != null) {
      EngineHooks.store(builder, inner -> new HaltingStore(inner, HaltingStore.Point.parse(halt)));
    }
    if (without.equals("commits")) {
      EngineHooks.store(builder, inner -> new UnprotectedStore.ForgetfulStore(inner, COMMITS));
    }
    var apply = told.remove("apply");
    if (apply != null) {
      var point = HaltingApplies.Point.parse(apply);
      var missing = without.equals("certainty") ? HaltingApplies.CERTAINTY : HaltingApplies.NOTHING;
      EngineHooks.applies(
          builder, contents -> new HaltingApplies(contents, point, missing, PlanService::halt));
    }
    told.forEach(builder::set);
    return builder;
  }

  private static void halt() {
    Runtime.getRuntime().halt(HaltingStore.EXIT_CODE);
  }

  private void work(List<ChaosPlans> stories, Random random) {
    try {
      sites.lookAtTheRest();
      client.work(stories, random);
      worked.complete(null);
    } catch (RuntimeException | AssertionError wrong) {
      complain(wrong);
    }
  }

  /// Ignores failures of an engine that is closing.
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
      // Same as the end of the input.
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

  /// Orderly end, as an embedding service does on `SIGTERM`: exit code 0.
  private void close() {
    closing = true;
    handoff.close();
    journal.say(What.CLOSED);
    Runtime.getRuntime().halt(0);
  }
}
