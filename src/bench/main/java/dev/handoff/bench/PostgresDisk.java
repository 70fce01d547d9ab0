package dev.handoff.bench;

import dev.handoff.HandoffBuilder;
import dev.handoff.StoreSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// A PostgreSQL database. The write-ahead log belongs to the whole server and its size is a server
/// setting; it is reported but does not count.
final class PostgresDisk implements MeasuredStore {

  private static final String ASIDE =
      """
      SELECT pg_database_size(current_database()) - pg_total_relation_size('handoff_history')
      """;
  private static final Map<String, String> PARTS =
      Map.of(
          "ledger", "SELECT pg_total_relation_size('handoff_ledger')",
          "checkpoint", "SELECT pg_total_relation_size('handoff_checkpoint')",
          "partition", "SELECT pg_total_relation_size('handoff_partition')",
          "history count", "SELECT pg_total_relation_size('handoff_history_count')",
          "the server's log", "SELECT sum(size)::bigint FROM pg_ls_waldir()");

  private final PostgresHost server;
  private final String url;
  private long empty;
  private long aside;

  private PostgresDisk(PostgresHost server, String url) {
    this.server = server;
    this.url = url;
    this.empty = PostgresHost.number(url, "SELECT pg_database_size(current_database())");
  }

  static MeasuredStore open() throws IOException {
    var server = PostgresHost.start();
    return new PostgresDisk(server, server.freshDatabase());
  }

  @Override
  public StoreSettings.Kind kind() {
    return new StoreSettings.Postgres(url, null, null, Duration.ofSeconds(10));
  }

  @Override
  public HandoffBuilder under(HandoffBuilder builder) {
    return builder.postgres(url, null, null);
  }

  @Override
  public void look() {
    aside = Math.max(aside, PostgresHost.number(url, ASIDE) - empty);
  }

  @Override
  public Taken taken() {
    look();
    var parts = new TreeMap<String, Long>();
    PARTS.forEach((name, sql) -> parts.put(name, PostgresHost.number(url, sql)));
    long history = PostgresHost.number(url, "SELECT pg_total_relation_size('handoff_history')");
    long batches = PostgresHost.number(url, "SELECT sum(seq)::bigint FROM handoff_partition");
    return new Taken(aside, history, parts, batches);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
