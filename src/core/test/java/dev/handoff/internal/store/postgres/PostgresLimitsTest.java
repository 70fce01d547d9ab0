package dev.handoff.internal.store.postgres;

import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StageWait.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.PartitionOwner;
import dev.handoff.internal.store.PostgresServer;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreHome;
import dev.handoff.internal.store.StoreReading;
import dev.handoff.internal.store.WriteResult.Away;
import dev.handoff.internal.store.WriteResult.Written;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A session on a PostgreSQL server")
class PostgresLimitsTest {

  private static final String LIMITS =
      """
      SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings WHERE name IN
        ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
         'tcp_keepalives_idle', 'tcp_user_timeout')
      """;
  private static final String OURS =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE application_name LIKE 'handoff %' AND datname = current_database()";

  private final StoreHome home = home("&socketTimeout=1");

  private static StoreHome home(String parameters) {
    return new StoreHome(StoreHome.postgres(PostgresServer.shared().newDatabase() + parameters));
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void endsOnTheServerBeforeItsClientGivesItUp() {
    assertThat(limitsOfAll(home))
        .hasSizeGreaterThan(5)
        .containsOnly(
            "idle_in_transaction_session_timeout=1000 lock_timeout=800 statement_timeout=900"
                + " tcp_keepalives_idle=10 tcp_user_timeout=25000");
  }

  @Test
  void hasLimitsAlsoWhereTheUrlNamesNone() {
    try (var usual = home("")) {
      assertThat(limitsOfAll(usual))
          .filteredOn(limits -> limits.contains("statement_timeout=9000 "))
          .hasSizeGreaterThan(3)
          .allMatch(limits -> limits.contains(" lock_timeout=8000 "))
          .allMatch(limits -> limits.startsWith("idle_in_transaction_session_timeout=10000 "));
      assertThat(limitsOfAll(usual))
          .allMatch(limits -> limits.matches(".* statement_timeout=(9000|29000) .*"));
    }
  }

  @Test
  void hasNoLimitForStatementsWhereTheUrlWantsNone() {
    try (var endless = home("&socketTimeout=0")) {
      assertThat(limitsOfAll(endless))
          .allMatch(limits -> limits.contains(" lock_timeout=0 statement_timeout=0 "))
          .allMatch(limits -> limits.startsWith("idle_in_transaction_session_timeout=10000 "));
    }
    try (var odd = home("&socketTimeout=soon")) {
      assertThatThrownBy(odd::open)
          .isInstanceOf(StoreException.Unfit.class)
          .hasMessageContaining("socketTimeout");
    }
  }

  /// Limits that each session reports before its first use.
  private static List<String> limitsOfAll(StoreHome home) {
    var limits = Collections.synchronizedList(new ArrayList<String>());
    try (var store =
        home.open(
            connection -> {
              limits.add(text(connection, LIMITS));
              return connection;
            })) {
      var owner = PartitionOwner.of(store, 0);
      owner.write(row(1));
      owner.checkpoint(1, 0, "states", true);
      get(store.trim(0, owner.incarnation(), 10));
      get(store.keepBlobs(List.of(new BlobUse(id(1), List.of(), Set.of()))));
      get(store.find(id(1)));
      get(store.list(HistoryQuery.newest(1)));
    }
    return limits;
  }

  @Test
  void leavesNoBackendBehindALock() throws SQLException {
    Store store = home.open();
    var owner = PartitionOwner.of(store, 0);
    owner.write(row(1));
    get(store.find(id(1)));
    var batch = owner.next(row(2));
    try (var holder = DriverManager.getConnection(home.url());
        var observer = DriverManager.getConnection(home.url())) {
      holder.setAutoCommit(false);
      text(holder, "SELECT 1 FROM handoff_partition FOR UPDATE");
      int before = Integer.parseInt(text(observer, OURS));

      for (int attempt = 0; attempt < 4; attempt++) {
        assertThat(get(attempt == 0 ? owner.hand(batch) : store.write(batch)))
            .isInstanceOf(Away.class);
      }

      assertThat(Integer.parseInt(text(observer, OURS))).isLessThanOrEqualTo(before);
    }

    until(() -> get(store.write(batch)) instanceof Written);
    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1", "2: facts 2");
  }

  /// A lost host closes no connection, and the server would not notice for hours.
  @Test
  void doesNotKeepTheLocksOfALostHost() {
    var sessions = new LinkedBlockingDeque<Connection>();
    Store store =
        home.open(
            connection -> {
              sessions.add(connection);
              return connection;
            });
    var owner = PartitionOwner.of(store, 0);
    owner.write(row(1));
    owner.checkpoint(1, 0, "states", true);
    var ofUpkeep = sessions.getLast();

    text(ofUpkeep, "BEGIN; SELECT 1 FROM handoff_partition FOR UPDATE");

    var batch = owner.next(row(2));
    var first = get(owner.hand(batch));
    long began = System.nanoTime();
    until(() -> first instanceof Written || get(store.write(batch)) instanceof Written);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
  }

  private static String text(Connection connection, String sql) {
    try (var statement = connection.createStatement()) {
      boolean rows = statement.execute(sql);
      while (!rows) {
        rows = statement.getMoreResults();
      }
      statement.getResultSet().next();
      return statement.getResultSet().getString(1);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
