package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.store.Store;
import dev.handoff.testing.EngineHooks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/// Service that embeds Handoff and its only client, in a separate JVM. Works until it is killed,
/// terminated, or receives `stop` or `finish` on standard input.
///
/// Arguments have the form `name=value`: `journal`, `dir` or `url`, `keys` (which the client
/// submits), `halt` (a [HaltingStore.Point]), `without` (a protection to switch off: `fence`, or
/// the name of a fact that is acknowledged but not written), and engine settings.
final class ChaosService {

  private static final int LEFT_ALONE = 99;

  private final Path path;
  private final ClientJournal journal;
  private final ChaosJobs.Bench bench;
  private final Handoff handoff;
  private final ChaosClient client;
  private final CompletableFuture<Void> submitted = new CompletableFuture<>();

  private ChaosService(Map<String, String> told) throws IOException {
    path = Path.of(told.remove("journal"));
    journal = ClientJournal.spoken(path);
    bench = new ChaosJobs.Bench(journal);
    handoff = start(told);
    client = new ChaosClient(handoff, journal);
  }

  public static void main(String[] arguments) throws IOException {
    var told = new HashMap<String, String>();
    for (var argument : arguments) {
      var parts = argument.split("=", 2);
      told.put(parts[0], parts[1]);
    }
    var keys = ChaosClient.keys(Objects.requireNonNullElse(told.remove("keys"), ""));
    var service = new ChaosService(told);
    Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    service.journal.say(What.UP);
    Thread.ofPlatform().daemon().start(service::obey);
    service.client.work(keys);
    service.submitted.complete(null);
    // The parent process ends this one.
    new CompletableFuture<Void>().join();
  }

  private Handoff start(Map<String, String> told) {
    var builder = Handoff.builder();
    var directory = told.remove("dir");
    var url = told.remove("url");
    if (directory != null) {
      builder.directory(Path.of(directory));
    } else {
      builder.postgres(url, null, null);
    }
    around(builder, told.remove("halt"), told.remove("without"), url);
    builder.onDown(reason -> journal.say(What.DOWN, reason));
    bench.furnish(builder);
    told.forEach(builder::set);
    return bench.start(builder);
  }

  private static void around(HandoffBuilder builder, String halt, String without, String url) {
    if (halt != null) {
      EngineHooks.store(builder, inner -> new HaltingStore(inner, HaltingStore.Point.parse(halt)));
    }
    if (without != null) {
      EngineHooks.store(builder, inner -> without(without, inner, url));
    }
  }

  private static Store without(String protection, Store inner, String url) {
    return protection.equals("fence")
        ? new UnprotectedStore.FencelessStore(inner, url)
        : new UnprotectedStore.LyingStore(inner, protection);
  }

  private void obey() {
    try (var orders = new BufferedReader(new InputStreamReader(System.in))) {
      for (var order = orders.readLine(); order != null; order = orders.readLine()) {
        switch (order) {
          case "stop" -> close();
          case "finish" -> finish();
          case "release" -> bench.release();
          default -> client.submit(order);
        }
      }
    } catch (IOException cut) {
      // Same as the end of the input.
    }
    Runtime.getRuntime().halt(LEFT_ALONE);
  }

  private void finish() {
    submitted.join();
    bench.release();
    client.finish(path);
    close();
  }

  /// Orderly end, as an embedding service does on `SIGTERM`: exit code 0.
  private void close() {
    handoff.close();
    journal.say(What.CLOSED);
    Runtime.getRuntime().halt(0);
  }
}
