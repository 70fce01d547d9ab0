package dev.handoff.internal.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Disk that ignores the case of names.
final class FoldingDisk implements FileOperations {

  @Override
  public Dir open(Path directory) throws IOException {
    return new Folding(SecureDisk.INSTANCE.open(directory));
  }

  @Override
  public void makeDirectory(Path directory, boolean secret) throws IOException {
    SecureDisk.INSTANCE.makeDirectory(directory, secret);
  }

  private record Folding(Dir dir) implements Dir {

    private String real(String name) throws IOException {
      return dir.names().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
    }

    @Override
    public Dir open(String name) throws IOException {
      return new Folding(dir.open(real(name)));
    }

    @Override
    public @Nullable FileStat look(String name) throws IOException {
      return dir.look(real(name));
    }

    @Override
    public List<String> names() throws IOException {
      return dir.names();
    }

    @Override
    public boolean hasOnly(Set<String> names) throws IOException {
      return dir.hasOnly(names);
    }

    @Override
    public ReadableByteChannel read(String name) throws IOException {
      return dir.read(real(name));
    }

    @Override
    public void write(String name, byte[] content, @Nullable FileStat like) throws IOException {
      dir.write(real(name), content, like);
    }

    @Override
    public @Nullable Closeable lock(String name) throws IOException {
      return dir.lock(real(name));
    }

    @Override
    public void move(String name, Dir target, String as) throws IOException {
      var there = (Folding) target;
      dir.move(real(name), there.dir, there.real(as));
    }

    @Override
    public void deleteFile(String name) throws IOException {
      dir.deleteFile(real(name));
    }

    @Override
    public void deleteDirectory(String name) throws IOException {
      dir.deleteDirectory(real(name));
    }

    @Override
    public void sync() throws IOException {
      dir.sync();
    }

    @Override
    public void close() {
      dir.close();
    }
  }
}
