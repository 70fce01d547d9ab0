package dev.handoff.internal.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Disk with a hook before its operations.
final class TriedDisk implements FileOperations {

  /// Hook. Can throw the operation's exception.
  @FunctionalInterface
  interface Before {
    /// @param number number of the operation, from 1
    /// @param what operation with its names, such as `move n0 a.txt`
    void operation(int number, String what) throws IOException;

    /// Hook after an operation instead; the hook before operations has no effect.
    record After(int which, Before then) implements Before {
      @Override
      public void operation(int number, String what) {}
    }

    /// Calls a hook at the first operation with this prefix.
    static Before first(String words, Before then) {
      var done = new boolean[1];
      return (number, what) -> {
        if (!done[0] && what.startsWith(words)) {
          done[0] = true;
          then.operation(number, what);
        }
      };
    }

    static Before at(int which, Before then) {
      return (number, what) -> {
        if (number == which) {
          then.operation(number, what);
        }
      };
    }
  }

  /// Death of the process: later operations have no effect, and nothing is cleaned up.
  static final class Died extends Error {
    Died() {
      super("died", null, false, false);
    }
  }

  private final FileOperations disk;
  private final Before before;
  private String skipped = "nothing";
  private int operations;
  private boolean dead;

  TriedDisk(FileOperations disk, Before before) {
    this.disk = disk;
    this.before = before;
  }

  static TriedDisk of(Before before) {
    return new TriedDisk(SecureDisk.INSTANCE, before);
  }

  /// Disk whose process dies before an operation, or in the middle of writing a content.
  static TriedDisk dyingAt(int which) {
    return of(
        Before.at(
            which,
            (number, what) -> {
              throw new Died();
            }));
  }

  /// Skips a move but reports it as done.
  TriedDisk without(String move) {
    skipped = move;
    return this;
  }

  int operations() {
    return operations;
  }

  private void over() throws IOException {
    if (before instanceof Before.After after && after.which() == operations) {
      after.then().operation(operations, "");
    }
  }

  private void next(String... words) throws IOException {
    if (dead) {
      throw new Died();
    }
    try {
      before.operation(++operations, String.join(" ", words));
    } catch (Died death) {
      dead = true;
      throw death;
    }
  }

  @Override
  public Dir open(Path directory) throws IOException {
    next("open", "root");
    return new TriedDir(disk.open(directory));
  }

  @Override
  public void makeDirectory(Path directory, boolean secret) throws IOException {
    next("make", directory.getFileName().toString());
    disk.makeDirectory(directory, secret);
    over();
  }

  private final class TriedDir implements Dir {
    private final Dir dir;

    TriedDir(Dir dir) {
      this.dir = dir;
    }

    @Override
    public Dir open(String name) throws IOException {
      next("open", name);
      return new TriedDir(dir.open(name));
    }

    @Override
    public @Nullable FileStat look(String name) throws IOException {
      next("look", name);
      return dir.look(name);
    }

    @Override
    public List<String> names() throws IOException {
      next("names");
      return dir.names();
    }

    @Override
    public boolean hasOnly(Set<String> names) throws IOException {
      next("hasOnly");
      return dir.hasOnly(names);
    }

    @Override
    public ReadableByteChannel read(String name) throws IOException {
      next("read", name);
      return dir.read(name);
    }

    @Override
    public void write(String name, byte[] content, @Nullable FileStat like) throws IOException {
      try {
        next("write", name);
      } catch (Died | IOException failed) {
        dir.write(name, Arrays.copyOf(content, content.length / 2), like);
        throw failed;
      }
      dir.write(name, content, like);
      over();
    }

    @Override
    public @Nullable Closeable lock(String name) throws IOException {
      next("lock", name);
      return dir.lock(name);
    }

    @Override
    public void move(String name, Dir target, String as) throws IOException {
      next("move", name, as);
      if (!skipped.equals("move " + name + " " + as)) {
        dir.move(name, ((TriedDir) target).dir, as);
      }
      over();
    }

    @Override
    public void deleteFile(String name) throws IOException {
      next("delete", name);
      dir.deleteFile(name);
      over();
    }

    @Override
    public void deleteDirectory(String name) throws IOException {
      next("deleteDirectory", name);
      dir.deleteDirectory(name);
      over();
    }

    @Override
    public void sync() throws IOException {
      next("sync");
      dir.sync();
      over();
    }

    @Override
    public void close() {
      dir.close();
    }
  }
}
