package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StartException;
import dev.handoff.internal.ledger.StoredFacts;
import dev.handoff.testing.StoreDirectory;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store with a fact that nobody here knows")
class UnreadableTest {

  /// Fact of a later version: a CBOR array of a name and a map.
  private static final byte[] NEWER =
      ("\u0082\u0066newest\u00a0").getBytes(StandardCharsets.ISO_8859_1);

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);

  @BeforeEach
  void fill() throws SQLException {
    try (var handoff = open()) {
      handoff.submitOrThrow(JobRequest.of("t", "kept").delay(Duration.ofDays(1)));
    }
    try (var connection = connect();
        var insert =
            connection.prepareStatement(
                "INSERT INTO handoff_ledger (partition, seq, facts)"
                    + " SELECT id, seq + 1, ? FROM handoff_partition");
        var update = connection.prepareStatement("UPDATE handoff_partition SET seq = seq + 1")) {
      insert.setBytes(1, StoredFacts.row("01M7QM0000000000000000", NEWER));
      insert.executeUpdate();
      update.executeUpdate();
    }
  }

  @AfterEach
  void cleanUp() {
    home.close();
  }

  private Handoff open() {
    return Handoff.builder()
        .store(home.store())
        .partitions(1)
        .handler("t", Json.class, (payload, job) -> payload)
        .start();
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + home.directory().resolve("handoff.db"));
  }

  @Test
  void isNotOpenedAndKeepsItsBytes() throws SQLException {
    var before = ledger();

    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThatThrownBy(this::open)
          .isInstanceOf(StartException.class)
          .hasMessageContaining("the store cannot be read")
          .hasMessageContaining("partition 0, batch 2")
          .hasMessageContaining("newest");
    }

    assertThat(ledger()).isEqualTo(before).contains("2:");
  }

  private String ledger() throws SQLException {
    var rows = new StringBuilder();
    try (var connection = connect();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery("SELECT seq, hex(facts) FROM handoff_ledger ORDER BY seq")) {
      while (row.next()) {
        rows.append(row.getLong(1)).append(':').append(row.getString(2)).append('\n');
      }
    }
    return rows.toString();
  }
}
