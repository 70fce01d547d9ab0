package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.DatabaseFailure;
import dev.handoff.internal.store.StoreExecutor;
import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeper of a store's advisory lock. A thread checks the lock's connection every second, and takes
/// the lock again after the connection was lost. If another engine was faster, the store belongs to
/// it, and the listener is told.
///
/// The lock prevents an accidental start of a second engine. The incarnation in every write
/// (fencing token) prevents its writes, so no fact is lost while the lock is free.
final class PostgresHold implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(PostgresHold.class);
  private static final long PERIOD_MILLIS = 1_000;

  private enum Stop {
    NOW
  }

  private final StoreExecutor.Opener<PostgresLock> opener;
  private final Consumer<DatabaseFailure> taken;
  private final BlockingQueue<Stop> inbox = new LinkedBlockingQueue<>();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("handoff-store-hold").unstarted(this);
  private @Nullable PostgresLock lock;
  private int backend;

  /// @param lock lock that is already taken
  /// @param opener opens a new connection without taking the lock
  /// @param taken called when another engine holds the store
  PostgresHold(
      PostgresLock lock,
      StoreExecutor.Opener<PostgresLock> opener,
      Consumer<DatabaseFailure> taken) {
    this.lock = lock;
    this.backend = lock.backend();
    this.opener = opener;
    this.taken = taken;
  }

  void start() {
    thread.start();
  }

  void close() {
    inbox.add(Stop.NOW);
    StoreExecutor.await(thread);
  }

  @Override
  public void run() {
    boolean held = true;
    while (held && !stopped()) {
      held = look();
    }
    drop();
  }

  private boolean stopped() {
    try {
      return inbox.poll(PERIOD_MILLIS, TimeUnit.MILLISECONDS) != null;
    } catch (InterruptedException stray) {
      return false;
    }
  }

  /// Checks the lock, and returns whether this engine may still hold the store.
  private boolean look() {
    try {
      if (lock == null) {
        return takeAgain();
      }
      lock.look();
    } catch (SQLException lost) {
      if (lock != null) {
        log.warn("the connection that holds the store is lost: {}", lost.getMessage());
      }
      drop();
    }
    return true;
  }

  private boolean takeAgain() throws SQLException {
    var next = opener.open();
    lock = next;
    if (next.take()) {
      backend = next.backend();
      log.info("holding the store again");
      return true;
    }
    var holder = next.holder();
    if (holder.backend() == backend) {
      // The server has not yet noticed the loss of the former connection.
      next.end(backend);
      drop();
      return true;
    }
    if (holder.backend() == 0) {
      drop();
      return true;
    }
    log.error("the store is held by {} now: this engine writes no more", holder.name());
    taken.accept(new DatabaseFailure.Taken(holder.name()));
    return false;
  }

  private void drop() {
    if (lock != null) {
      try {
        lock.close();
      } catch (SQLException gone) {
        log.debug("closing the connection that held the store: {}", gone.toString());
      }
      lock = null;
    }
  }
}
