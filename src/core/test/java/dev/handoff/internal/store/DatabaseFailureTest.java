package dev.handoff.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.internal.store.postgres.PostgresInternals;
import dev.handoff.internal.store.sqlite.SqliteInternals;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

@DisplayName("Trouble with a database")
class DatabaseFailureTest {

  @ParameterizedTest
  @CsvSource({
    "08006, Away, true",
    "57P01, Away, true",
    "57P03, Away, true",
    "25006, Away, true",
    "57014, Away, false",
    "53100, Away, false",
    "40001, Away, true",
    "40P01, Away, true",
    "XX000, Away, false",
    "58030, Away, false",
    "28P01, Away, false",
    "22021, Data, false",
    "23505, Data, false",
    "54000, Data, false",
    "42P01, Damage, false",
    "XX001, Damage, false",
    "XX002, Damage, false"
  })
  void isToldByTheStateThatPostgresqlGives(String state, String kind, boolean sessionLost) {
    var trouble = PostgresInternals.dialect().trouble(new SQLException("reason", state));

    assertThat(trouble.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(trouble.reason()).isEqualTo("reason (SQLSTATE " + state + ")");
    assertThat(trouble instanceof DatabaseFailure.Away away && away.sessionLost())
        .isEqualTo(sessionLost);
  }

  @ParameterizedTest
  @CsvSource({
    "SQLITE_BUSY, Away",
    "SQLITE_BUSY_SNAPSHOT, Away",
    "SQLITE_LOCKED, Away",
    "SQLITE_FULL, Away",
    "SQLITE_IOERR_FSYNC, Away",
    "SQLITE_READONLY, Away",
    "SQLITE_CANTOPEN, Away",
    "SQLITE_CONSTRAINT_UNIQUE, Data",
    "SQLITE_TOOBIG, Data",
    "SQLITE_MISMATCH, Data",
    "SQLITE_CORRUPT, Damage",
    "SQLITE_CORRUPT_INDEX, Damage",
    "SQLITE_NOTADB, Damage"
  })
  void isToldByTheCodeThatSqliteGives(SQLiteErrorCode code, String kind) {
    var trouble = SqliteInternals.dialect().trouble(new SQLiteException("reason", code));

    assertThat(trouble.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(trouble.reason()).endsWith("reason");
  }

  @Test
  void isAnOutageWhenNobodyKnowsBetter() {
    var surprise = new CancellationException();

    assertThat(PostgresInternals.dialect().trouble(surprise))
        .isInstanceOf(DatabaseFailure.Away.class);
    assertThat(PostgresInternals.dialect().trouble(new SQLException("no state")))
        .isInstanceOf(DatabaseFailure.Away.class);
    assertThat(PostgresInternals.dialect().trouble(new SQLException("an empty state", "")))
        .isInstanceOf(DatabaseFailure.Away.class);
    assertThat(SqliteInternals.dialect().trouble(surprise))
        .isInstanceOf(DatabaseFailure.Away.class);
  }

  @Test
  void isAnswerOrException() {
    var away = new DatabaseFailure.Away("gone", Duration.ofSeconds(1), true, null);
    var damage = new DatabaseFailure.Damage("torn", null);

    assertThat(away.asResult("writing"))
        .isEqualTo(new WriteResult.Away("writing: gone", Duration.ofSeconds(1)));
    assertThat(damage.asResult("writing"))
        .isEqualTo(new WriteResult.Away("writing: torn", DatabaseFailure.DAMAGE_RETRY));
    assertThat(damage.asException("reading")).isInstanceOf(StoreException.Unreadable.class);
    assertThat(damage.atOnce()).isSameAs(damage);
  }

  @Test
  void isSeenBeforeItComesWhenAStoreCannotBeShared() {
    for (var access :
        new StoreSettings.Access[] {StoreSettings.Access.READ, StoreSettings.Access.SHARE}) {
      var settings = new StoreSettings(new StoreSettings.Memory(), 1, access, "test");
      assertThatThrownBy(() -> StoreOpener.open(settings)).isInstanceOf(StoreException.Unfit.class);
    }
  }
}
