package dev.handoff.internal.store;

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

/// PostgreSQL server for tests and measurements, from binaries that the build downloads. Can be
/// stopped, killed, frozen and restarted on the same port and data.
public final class PostgresServer implements AutoCloseable {

  /// Settings without syncs: data survives a crash of the server, but not of the machine.
  public static final Map<String, String> CARELESS =
      Map.of("fsync", "off", "full_page_writes", "off");

  /// Default settings: committed data is on the disk.
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

  /// Server for all tests of this JVM. Tests must not stop it.
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /// Starts a separate server.
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

  /// Creates an empty database.
  ///
  /// @return JDBC URL with the user
  public String newDatabase() {
    String name = "test_" + NAMES.incrementAndGet();
    execute("CREATE DATABASE " + name);
    return url(name);
  }

  /// Creates an empty schema in the shared database: much faster than a database, and sufficient
  /// for a store.
  ///
  /// @return JDBC URL with the user
  public String newSchema() {
    String name = "test_" + NAMES.incrementAndGet();
    execute("CREATE SCHEMA " + name);
    return url("postgres") + "&currentSchema=" + name;
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres".formatted(port, database);
  }

  /// Executes a statement as superuser.
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

  /// Starts the server again, and waits until it accepts connections.
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

  /// Stops the server as an administrator does: connections are closed, committed data is kept.
  public void stop() {
    end("INT");
  }

  /// Stops the server like a crash (`pg_ctl stop -m immediate`).
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

  /// Suspends all server processes: connections stay open but get no answers.
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
      // `kill` complains about processes that have ended since; such errors are ignored.
      new ProcessBuilder(command).redirectError(Redirect.DISCARD).start().waitFor();
    } catch (IOException | InterruptedException failure) {
      throw new IllegalStateException("kill -" + signal, failure);
    }
  }

  /// Stops the server and deletes its data.
  @Override
  public void close() {
    if (process.isAlive()) {
      thaw();
      kill();
    }
    try (Stream<Path> files = Files.walk(data.getParent())) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException gone) {
      // Already deleted.
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
