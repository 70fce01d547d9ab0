package dev.handoff.plan.apply;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A file that is held by one at a time, of all threads and processes of a machine. The system
/// takes the lock of a process that dies; but it takes it, too, as soon as the process closes the
/// file anywhere. So a file that is held here is not opened again.
final class SecureLock implements Closeable {

  private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();
  private static final Set<Object> HELD = new HashSet<>();

  private final FileChannel file;
  private final Object key;

  private SecureLock(FileChannel file, Object key) {
    this.file = file;
    this.key = key;
  }

  /// @param name of the file, which is made if it is not there
  /// @return null if somebody holds it
  static @Nullable SecureLock of(SecureDir directory, String name) throws IOException {
    ONE_AT_A_TIME.lock();
    try {
      var there = directory.look(name);
      if (there != null && HELD.contains(there.key())) {
        return null;
      }
      var file = (FileChannel) directory.channel(name, CREATE, WRITE);
      try {
        var made = directory.look(name);
        if (made != null && isFree(file)) {
          HELD.add(made.key());
          return new SecureLock(file, made.key());
        }
      } catch (IOException failed) {
        file.close();
        throw failed;
      }
      file.close();
      return null;
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }

  /// Some network file systems have no locks: there it holds for this process only.
  private static boolean isFree(FileChannel file) {
    try {
      return file.tryLock() != null;
    } catch (IOException noLocks) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    ONE_AT_A_TIME.lock();
    try {
      if (file.isOpen()) {
        HELD.remove(key);
        file.close();
      }
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }
}
