package dev.handoff.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// A real PostgreSQL server for tests and measurements, from binaries that the build fetches. It
/// can be stopped, killed, frozen and started again on the same port and data.
public final class PostgresServer implements AutoCloseable {

  /// Survives any end of its processes, but not of the machine.
  public static final Map<String, String> CARELESS =
      Map.of("fsync", "off", "full_page_writes", "off");

  /// As a server runs by default: what is committed is on the disk.
  public static final Map<String, String> DURABLE = Map.of();

  private static final Duration LONGEST_END = Duration.ofMinutes(1);
  private static final String READY = "database system is ready to accept connections";
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final PostgresBinaries binaries;
  private final Path data;
  private final int port;
  private final Map<String, String> settings;
  private volatile Process process;
  private List<ProcessHandle> frozen = List.of();

  private PostgresServer(PostgresBinaries binaries, Path data, Map<String, String> settings) {
    this.binaries = binaries;
    this.data = data;
    this.settings = settings;
    this.port = freePort();
  }

  private static final class Shared {
    static final PostgresServer SERVER = start(CARELESS);
  }

  /// One for the whole test run of this JVM. Not to be stopped.
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /// One of one's own.
  public static PostgresServer start(Map<String, String> settings) {
    try {
      var binaries = PostgresBinaries.find();
      var server = new PostgresServer(binaries, binaries.newCluster(), settings);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      server.start();
      return server;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public int port() {
    return port;
  }

  /// A new, empty database.
  ///
  /// @return its JDBC URL, with the user
  public String newDatabase() {
    String name = "test_" + NAMES.incrementAndGet();
    execute("CREATE DATABASE " + name);
    return url(name);
  }

  /// A new, empty schema in the database that all share: made in no time, and enough for a store.
  ///
  /// @return its JDBC URL, with the user
  public String newSchema() {
    String name = "test_" + NAMES.incrementAndGet();
    execute("CREATE SCHEMA " + name);
    return url("postgres") + "&currentSchema=" + name;
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres".formatted(port, database);
  }

  /// Runs a statement as superuser.
  public void execute(String sql) {
    execute(url("postgres"), sql);
  }

  public static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      throw new IllegalStateException(sql, failure);
    }
  }

  /// Starts it again, and waits until it serves.
  public void start() {
    var command = new ArrayList<String>(List.of("-D", data.toString(), "-p", "" + port));
    command.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
    settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    var ready = new CompletableFuture<Void>();
    var started = binaries.run("postgres", command);
    process = started;
    var log = new Thread(() -> follow(started, ready), "postgres-log");
    log.setDaemon(true);
    log.start();
    try {
      ready.get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException failure) {
      started.destroyForcibly();
      throw new IllegalStateException("PostgreSQL does not start", failure);
    }
  }

  private static void follow(Process process, CompletableFuture<Void> ready) {
    var lines = new ArrayList<String>();
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.contains(READY)) {
          ready.complete(null);
        }
        if (!ready.isDone()) {
          lines.add(line);
        }
      }
    } catch (IOException closed) {
      lines.add(closed.toString());
    }
    ready.completeExceptionally(new IllegalStateException(String.join("\n", lines)));
  }

  /// Ends it as an administrator would: connections are cut, what is committed is there.
  public void stop() {
    end("INT");
  }

  /// Ends it as a crash would (`pg_ctl stop -m immediate`).
  public void kill() {
    end("QUIT");
  }

  private void end(String signal) {
    var ending = process;
    signal(signal, List.of(ending.toHandle()));
    try {
      if (!ending.waitFor(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
        ending.destroyForcibly();
        throw new IllegalStateException("PostgreSQL does not end by SIG" + signal);
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  /// Stops all of its processes where they are: connections stay open and nobody answers.
  public void freeze() {
    frozen = processes();
    signal("STOP", frozen);
  }

  public void thaw() {
    if (!frozen.isEmpty()) {
      signal("CONT", frozen);
      frozen = List.of();
    }
  }

  private List<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  private static void signal(String signal, List<ProcessHandle> processes) {
    var command = new ArrayList<>(List.of("kill", "-" + signal));
    processes.forEach(process -> command.add("" + process.pid()));
    try {
      // One that has ended since it was listed needs no signal, which kill complains about.
      new ProcessBuilder(command).redirectError(Redirect.DISCARD).start().waitFor();
    } catch (IOException | InterruptedException failure) {
      throw new IllegalStateException("kill -" + signal, failure);
    }
  }

  /// Ends it and deletes its data.
  @Override
  public void close() {
    if (process.isAlive()) {
      thaw();
      kill();
    }
    try (Stream<Path> files = Files.walk(data.getParent())) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException gone) {
      // Deleted already.
    }
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
