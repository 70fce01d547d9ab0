package dev.handoff.internal.store;

import dev.handoff.StoreSettings;
import dev.handoff.internal.store.open.StoreOpener;
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

/// Full or failing disk under a file store, switched by the test: every writing statement throws,
/// some of them after their execution.
public final class BrokenDisk implements UnaryOperator<Connection> {

  private final AtomicInteger struck = new AtomicInteger();
  private volatile SQLiteErrorCode error;

  /// Reopens a store on this disk.
  public Store under(Store opened, StoreSettings.Kind kind) {
    int partitions = opened.info().partitions();
    opened.close();
    return StoreOpener.open(
        new StoreSettings(kind, partitions, StoreSettings.Access.OWN, "a test"), this);
  }

  /// Makes the disk full.
  public void fill() {
    error = SQLiteErrorCode.SQLITE_FULL;
  }

  /// Makes every sync fail.
  public void failToSync() {
    error = SQLiteErrorCode.SQLITE_IOERR_FSYNC;
  }

  public void mend() {
    error = null;
  }

  /// Number of failed statements.
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
