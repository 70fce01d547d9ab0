package dev.handoff.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// A disk under a file store that is full, or fails, while a test says so: every statement that
/// writes throws, some of them after they have been carried out.
public final class BrokenDisk implements UnaryOperator<Connection> {

  private final AtomicInteger struck = new AtomicInteger();
  private volatile SQLiteErrorCode error;

  /// Opens a store again, on this disk.
  public Store under(Store opened, StoreSettings.Kind kind) {
    int partitions = opened.info().partitions();
    opened.close();
    return Stores.open(
        new StoreSettings(kind, partitions, StoreSettings.Access.OWN, "a test"), this);
  }

  /// There is no room left.
  public void fill() {
    error = SQLiteErrorCode.SQLITE_FULL;
  }

  /// What is written cannot be synced.
  public void failToSync() {
    error = SQLiteErrorCode.SQLITE_IOERR_FSYNC;
  }

  public void mend() {
    error = null;
  }

  /// How many statements have failed.
  public int struck() {
    return struck.get();
  }

  @Override
  public Connection apply(Connection connection) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          var result = invoke(connection, method, arguments);
          return method.getName().equals("prepareStatement")
              ? statement((PreparedStatement) result, (String) arguments[0])
              : result;
        });
  }

  private PreparedStatement statement(PreparedStatement statement, String sql) {
    boolean reads = sql.stripLeading().startsWith("SELECT");
    return proxy(
        PreparedStatement.class,
        (method, arguments) ->
            method.getName().startsWith("execute") && !reads
                ? execute(statement, method, arguments)
                : invoke(statement, method, arguments));
  }

  private Object execute(Object statement, Method method, Object[] arguments) throws Throwable {
    var now = error;
    if (now == null) {
      return invoke(statement, method, arguments);
    }
    if (struck.incrementAndGet() % 2 == 0) {
      invoke(statement, method, arguments);
    }
    throw strike(now);
  }

  private static SQLException strike(SQLiteErrorCode error) {
    return new SQLiteException(error.message, error);
  }

  private interface Call {
    Object answer(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.answer(method, arguments)));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }
}
