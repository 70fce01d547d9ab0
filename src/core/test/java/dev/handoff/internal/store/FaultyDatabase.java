package dev.handoff.internal.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// Connection wrapper that breaks a statement: once armed, the n-th statement fails before or after
/// its execution.
public final class FaultyDatabase implements UnaryOperator<Connection> {

  public enum Moment {
    BEFORE,
    AFTER
  }

  /// Exception of the broken statement, and effect on its connection.
  public interface Fault {
    SQLException strike(Connection connection) throws SQLException;
  }

  private record Plan(int statement, Moment moment, Fault fault) {}

  private final UnaryOperator<String> sql;
  private final AtomicInteger seen = new AtomicInteger();
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile Plan plan;

  public FaultyDatabase() {
    this(UnaryOperator.identity());
  }

  /// @param sql rewrites each statement
  public FaultyDatabase(UnaryOperator<String> sql) {
    this.sql = sql;
  }

  public void arm(int statement, Moment moment, Fault fault) {
    seen.set(0);
    plan = new Plan(statement, moment, fault);
  }

  /// Whether the fault has occurred. An armed fault occurs once.
  public boolean struck() {
    return plan == null;
  }

  public void disarm() {
    plan = null;
  }

  /// Cuts all current connections: no message passes, not even a close.
  public void cut() {
    cuts.incrementAndGet();
  }

  @Override
  public Connection apply(Connection connection) {
    int made = cuts.get();
    return proxy(
        Connection.class,
        (method, arguments) ->
            switch (method.getName()) {
              case String name when cuts.get() > made -> dead(name);
              case "prepareStatement" -> prepared(connection, (String) arguments[0]);
              case "createStatement" -> plain(connection);
              default -> invoke(connection, method, arguments);
            });
  }

  private static Object dead(String method) throws SQLException {
    if (method.equals("close")) {
      return null;
    }
    throw new SQLException("the wire is cut", "08006");
  }

  /// Plain statements only change settings, and never fail.
  private Statement plain(Connection connection) throws SQLException {
    Statement statement = connection.createStatement();
    return proxy(
        Statement.class,
        (method, arguments) ->
            method.getName().equals("execute")
                ? statement.execute(sql.apply((String) arguments[0]))
                : invoke(statement, method, arguments));
  }

  private PreparedStatement prepared(Connection connection, String text) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql.apply(text));
    return proxy(
        PreparedStatement.class,
        (method, arguments) ->
            method.getName().startsWith("execute")
                ? execute(connection, statement, method, arguments)
                : invoke(statement, method, arguments));
  }

  private Object execute(
      Connection connection, PreparedStatement statement, Method method, Object[] arguments)
      throws Throwable {
    Plan now = plan;
    if (now == null || seen.incrementAndGet() != now.statement()) {
      return invoke(statement, method, arguments);
    }
    plan = null;
    if (now.moment() == Moment.AFTER) {
      invoke(statement, method, arguments);
    }
    throw now.fault().strike(connection);
  }

  private interface Call {
    Object answer(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.answer(method, arguments));
    return type.cast(proxy);
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }
}
