package dev.handoff.plan.apply;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A file that is held by one at a time, of all threads and processes of a machine. The system
/// takes the lock of a process that dies; but it takes it, too, as soon as the process closes the
/// file anywhere. So a file that is held here is not opened again.
final class SecureLock implements Closeable {

  /// What this process holds, which is the system's own measure of it.
  private static final Set<Key> HELD = ConcurrentHashMap.newKeySet();

  private record Key(Object directory, String name) {}

  private final FileChannel file;
  private final Key key;

  private SecureLock(FileChannel file, Key key) {
    this.file = file;
    this.key = key;
  }

  /// @param name of the file, which is made if it is not there
  /// @return null if somebody holds it
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
    if (file.isOpen()) {
      file.close();
      HELD.remove(key);
    }
  }
}
