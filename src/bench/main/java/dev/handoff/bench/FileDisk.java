package dev.handoff.bench;

import dev.handoff.HandoffBuilder;
import dev.handoff.StoreSettings;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.TreeMap;

/// The file store. Its database file never shrinks, so the final size is the maximum; the
/// write-ahead log does shrink.
final class FileDisk implements MeasuredStore {

  private static final String PAGES = "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE";

  private final BenchDirectory place;
  private long largestLog;

  private FileDisk(BenchDirectory place) {
    this.place = place;
  }

  static MeasuredStore open() throws IOException {
    return new FileDisk(BenchDirectory.fresh());
  }

  @Override
  public StoreSettings.Kind kind() {
    return new StoreSettings.File(place.directory());
  }

  @Override
  public HandoffBuilder under(HandoffBuilder builder) {
    return builder.directory(place.directory());
  }

  @Override
  public void look() {
    largestLog = Math.max(largestLog, bytes("handoff.db-wal") + bytes("handoff.db-shm"));
  }

  @Override
  public Taken taken() throws SQLException {
    var parts = new TreeMap<String, Long>();
    long history = 0;
    long used = 0;
    var url = "jdbc:sqlite:" + place.directory().resolve("handoff.db");
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(PAGES)) {
      while (rows.next()) {
        var name = rows.getString(1);
        long size = rows.getLong(2);
        used += size;
        parts.put(name, size);
        if (name.contains("handoff_history") && !name.contains("count")) {
          history += size;
        }
      }
    }
    long database = bytes("handoff.db");
    parts.put("free", database - used);
    parts.put("write-ahead log", largestLog);
    long batches = PostgresHost.number(url, "SELECT sum(seq) FROM handoff_partition");
    return new Taken(database - history + largestLog, history, parts, batches);
  }

  @Override
  public void close() throws IOException {
    place.close();
  }

  private long bytes(String name) {
    return place.directory().resolve(name).toFile().length();
  }
}
