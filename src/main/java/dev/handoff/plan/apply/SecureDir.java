package dev.handoff.plan.apply;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A directory by its handle: whatever becomes of its name, this stays the same directory.
///
/// @param links how links are treated. They are not followed, but in the test that shows what
///   happens otherwise.
record SecureDir(SecureDirectoryStream<Path> handle, LinkOption... links) implements Disk.Dir {

  private static final Path ITSELF = Path.of(".");

  @Override
  public Disk.Dir open(String name) throws IOException {
    return new SecureDir(stream(Path.of(name)), links);
  }

  private SecureDirectoryStream<Path> stream(Path name) throws IOException {
    return handle.newDirectoryStream(name, links);
  }

  @Override
  public @Nullable Seen look(String name) throws IOException {
    try {
      return new Seen(view(name).readAttributes());
    } catch (NoSuchFileException missing) {
      return null;
    }
  }

  private PosixFileAttributeView view(String name) {
    return handle.getFileAttributeView(Path.of(name), PosixFileAttributeView.class, links);
  }

  @Override
  public List<String> names() throws IOException {
    var names = new ArrayList<String>();
    all(names::add);
    return names;
  }

  @Override
  public boolean hasOnly(Set<String> names) throws IOException {
    return all(names::contains);
  }

  /// A stream can be walked through once, so there is one for each walk.
  private boolean all(Predicate<String> test) throws IOException {
    try (var entries = stream(ITSELF)) {
      for (var entry : entries) {
        if (!test.test(entry.getFileName().toString())) {
          return false;
        }
      }
      return true;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  @Override
  public ReadableByteChannel read(String name) throws IOException {
    return channel(name, READ);
  }

  @Override
  public void write(String name, byte[] content, @Nullable Seen like) throws IOException {
    try (var file = channel(name, CREATE_NEW, WRITE)) {
      var left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        file.write(left);
      }
      if (like != null) {
        resemble(view(name), like);
      }
      ((FileChannel) file).force(true);
    }
  }

  private static void resemble(PosixFileAttributeView file, Seen other) throws IOException {
    var own = file.readAttributes();
    var its = other.attributes();
    try {
      if (!own.group().equals(its.group())) {
        file.setGroup(its.group());
      }
      if (!own.owner().equals(its.owner())) {
        file.setOwner(its.owner());
      }
    } catch (FileSystemException notAllowed) {
      // Only root may give files away: as with any other program, it is then ours.
    }
    file.setPermissions(its.permissions());
  }

  /// What it is, by whatever name.
  Object key() throws IOException {
    return view(ITSELF.toString()).readAttributes().fileKey();
  }

  @Override
  public @Nullable Closeable lock(String name) throws IOException {
    var seen = look(name);
    if (seen != null && !seen.isFile()) {
      // To open a pipe would take for ever.
      throw new IOException("\"" + name + "\" is no file: nobody can hold it");
    }
    return SecureLock.of(this, name);
  }

  SeekableByteChannel channel(String name, OpenOption... how) throws IOException {
    var options = new java.util.HashSet<OpenOption>(List.of(how));
    options.addAll(List.of(links));
    return handle.newByteChannel(Path.of(name), options);
  }

  @Override
  public void move(String name, Disk.Dir target, String as) throws IOException {
    handle.move(Path.of(name), ((SecureDir) target).handle, Path.of(as));
  }

  @Override
  public void deleteFile(String name) throws IOException {
    handle.deleteFile(Path.of(name));
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    handle.deleteDirectory(Path.of(name));
  }

  @Override
  public void sync() throws IOException {
    try (var itself = (FileChannel) channel(".", READ)) {
      itself.force(true);
    }
  }

  @Override
  public void close() {
    try {
      handle.close();
    } catch (IOException readOnly) {
      // Nothing was written through it.
    }
  }
}
