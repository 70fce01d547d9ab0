package dev.handoff.store;

import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the lock of a store on a server: looks at its connection every second, and takes the lock
/// again when it went with the connection. If somebody else was faster, the store is theirs, and
/// whoever waits for that is told.
///
/// The lock keeps a second engine from starting by mistake. What keeps it from writing is the
/// incarnation in every write, so that nothing is lost while nobody holds the lock.
final class PostgresHold implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(PostgresHold.class);
  private static final long PERIOD_MILLIS = 1_000;

  private enum Stop {
    NOW
  }

  private final Lane.Opener<PostgresLock> opener;
  private final Consumer<Trouble> taken;
  private final BlockingQueue<Stop> inbox = new LinkedBlockingQueue<>();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("handoff-store-hold").unstarted(this);
  private @Nullable PostgresLock lock;
  private int backend;

  /// @param lock taken already
  /// @param opener connects anew, without taking it
  /// @param taken told when somebody else holds the store
  PostgresHold(PostgresLock lock, Lane.Opener<PostgresLock> opener, Consumer<Trouble> taken) {
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
    Lane.await(thread);
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

  /// Answers whether the store may still be ours.
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
      // The server has not noticed yet that the connection is gone.
      next.end(backend);
      drop();
      return true;
    }
    if (holder.backend() == 0) {
      drop();
      return true;
    }
    log.error("the store is held by {} now: this engine writes no more", holder.name());
    taken.accept(new Trouble.Taken(holder.name()));
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
