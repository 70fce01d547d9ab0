package dev.handoff.chaos;

import dev.handoff.Around;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.chaos.Journal.What;
import dev.handoff.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/// A service that embeds Handoff, in a JVM of its own, and its only client. Works until it is
/// killed, or terminated, or told to `stop` or to `finish` on its standard input.
///
/// Told what to do by arguments of the form `name=value`: `journal`, `dir` or `url`, `keys` (what
/// it submits), `halt` (a [HaltingStore.Point]), `without` (a protection that is taken away:
/// `fence`, or the name of a fact that is told and not written), and settings of the engine.
final class Service {

  private static final int LEFT_ALONE = 99;

  private final Path path;
  private final Journal journal;
  private final Work.Bench bench;
  private final Handoff handoff;
  private final Client client;
  private final CompletableFuture<Void> submitted = new CompletableFuture<>();

  private Service(Map<String, String> told) throws IOException {
    path = Path.of(told.remove("journal"));
    journal = Journal.spoken(path);
    bench = new Work.Bench(journal);
    handoff = start(told);
    client = new Client(handoff, journal);
  }

  public static void main(String[] arguments) throws IOException {
    var told = new HashMap<String, String>();
    for (var argument : arguments) {
      var parts = argument.split("=", 2);
      told.put(parts[0], parts[1]);
    }
    var keys = Client.keys(Objects.requireNonNullElse(told.remove("keys"), ""));
    var service = new Service(told);
    Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    service.journal.say(What.UP);
    Thread.ofPlatform().daemon().start(service::obey);
    service.client.work(keys);
    service.submitted.complete(null);
    // Whoever has started it says when it is enough.
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
      Around.store(builder, inner -> new HaltingStore(inner, HaltingStore.Point.parse(halt)));
    }
    if (without != null) {
      Around.store(builder, inner -> without(without, inner, url));
    }
  }

  private static Store without(String protection, Store inner, String url) {
    return protection.equals("fence")
        ? new Unprotected.FencelessStore(inner, url)
        : new Unprotected.LyingStore(inner, protection);
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
      // As if it had ended.
    }
    Runtime.getRuntime().halt(LEFT_ALONE);
  }

  private void finish() {
    submitted.join();
    bench.release();
    client.finish(path);
    close();
  }

  /// What an embedding service does when it is told to terminate: an orderly end is a success.
  private void close() {
    handoff.close();
    journal.say(What.CLOSED);
    Runtime.getRuntime().halt(0);
  }
}
