package dev.handoff.internal.store;

import dev.handoff.StoreSettings;
import dev.handoff.internal.store.open.StoreOpener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Location of one store, where a test opens it repeatedly.
public final class StoreHome implements AutoCloseable {

  public static final int PARTITIONS = 3;

  private final StoreSettings.Kind kind;
  private final List<Store> opened = new ArrayList<>();

  public StoreHome(StoreKind kind) {
    this.kind =
        switch (kind) {
          case FILE -> new StoreSettings.File(temporaryDirectory());
          case POSTGRES -> postgres(PostgresServer.shared().newSchema());
          case MEMORY -> new StoreSettings.Memory();
        };
  }

  public StoreHome(StoreSettings.Kind kind) {
    this.kind = kind;
  }

  public static StoreSettings.Postgres postgres(String url) {
    return new StoreSettings.Postgres(url, null, null, Duration.ofSeconds(2));
  }

  public Store open() {
    return open(UnaryOperator.identity());
  }

  public Store open(UnaryOperator<Connection> wrap) {
    return open(settings(PARTITIONS, StoreSettings.Access.OWN), wrap);
  }

  public Store open(int partitions, StoreSettings.Access access) {
    return open(settings(partitions, access), UnaryOperator.identity());
  }

  public Store open(StoreSettings settings, UnaryOperator<Connection> wrap) {
    var store = StoreOpener.open(settings, wrap);
    opened.add(store);
    return store;
  }

  public StoreSettings settings(int partitions, StoreSettings.Access access) {
    return new StoreSettings(kind, partitions, access, "the test on this host");
  }

  public Path directory() {
    return ((StoreSettings.File) kind).directory();
  }

  public String url() {
    return ((StoreSettings.Postgres) kind).url();
  }

  /// JDBC URL for direct access to the tables.
  public String jdbcUrl() {
    return switch (kind) {
      case StoreSettings.File file ->
          "jdbc:sqlite:" + file.directory().resolve("handoff.db").toUri();
      case StoreSettings.Postgres postgres -> postgres.url();
      case StoreSettings.Memory memory -> throw new IllegalStateException("memory has no tables");
    };
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("handoff-store").resolve("of stores %3f");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    opened.forEach(Store::close);
    if (kind instanceof StoreSettings.File(Path directory)) {
      delete(directory.getParent());
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
