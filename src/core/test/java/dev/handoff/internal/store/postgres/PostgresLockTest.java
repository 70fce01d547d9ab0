package dev.handoff.internal.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The lock of a store on a server")
class PostgresLockTest {

  @Test
  void leavesNoConnectionBehindWhenItCannotBeMade() {
    var closed = new AtomicBoolean();
    var connection =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    closed.set(true);
                    return null;
                  }
                  throw new SQLException("the server goes away", "08006");
                });

    assertThatThrownBy(() -> new PostgresLock(connection, new PostgresDialect(), false))
        .hasMessage("the server goes away");

    assertThat(closed).isTrue();
  }
}
