package dev.handoff.internal.plan.apply;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// File lock with one holder among all threads and processes of a machine. The operating system
/// releases the locks of a dead process. It also releases a lock when the process closes the file
/// anywhere, so a locked file is never opened again here.
final class SecureLock implements Closeable {

  /// Locks of this process: file locks of the operating system do not exclude threads of one
  /// process.
  private static final Set<Key> HELD = ConcurrentHashMap.newKeySet();

  private record Key(Object directory, String name) {}

  private final FileChannel file;
  private final Key key;

  private SecureLock(FileChannel file, Key key) {
    this.file = file;
    this.key = key;
  }

  /// @param name name of the lock file, created if it is missing
  /// @return null if the lock is taken
  static @Nullable SecureLock of(SecureDir directory, String name) throws IOException {
    var key = new Key(directory.key(), name);
    return HELD.add(key) ? of(directory, key) : null;
  }

  private static @Nullable SecureLock of(SecureDir directory, Key key) throws IOException {
    SecureLock lock = null;
    boolean isFree = false;
    try {
      lock = new SecureLock((FileChannel) directory.channel(key.name(), CREATE, WRITE), key);
      isFree = isFree(lock.file);
      return isFree ? lock : null;
    } finally {
      if (lock == null) {
        HELD.remove(key);
      } else if (!isFree) {
        lock.close();
      }
    }
  }

  /// Takes the file lock. Without locks in the file system (some network file systems), the lock
  /// holds within this process only.
  private static boolean isFree(FileChannel file) {
    try {
      return file.tryLock() != null;
    } catch (IOException noLocks) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    if (file.isOpen()) {
      file.close();
      HELD.remove(key);
    }
  }
}
