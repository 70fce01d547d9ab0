package dev.handoff.internal.plan.apply;

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

/// Directory behind a handle, unaffected by a rename or replacement of its path.
///
/// @param links link options. Links are not followed, except in a test that shows the danger.
record SecureDir(SecureDirectoryStream<Path> handle, LinkOption... links)
    implements FileOperations.Dir {

  private static final Path ITSELF = Path.of(".");

  @Override
  public FileOperations.Dir open(String name) throws IOException {
    return new SecureDir(stream(Path.of(name)), links);
  }

  private SecureDirectoryStream<Path> stream(Path name) throws IOException {
    return handle.newDirectoryStream(name, links);
  }

  @Override
  public @Nullable FileStat look(String name) throws IOException {
    try {
      return new FileStat(view(name).readAttributes());
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

  /// Walks over the entries. A directory stream allows one walk only, so each walk opens its own.
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
  public void write(String name, byte[] content, @Nullable FileStat like) throws IOException {
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

  private static void resemble(PosixFileAttributeView file, FileStat other) throws IOException {
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
      // Only root may change owners: without that right the file belongs to this user, as usual.
    }
    file.setPermissions(its.permissions());
  }

  /// Identity of the directory, independent of its name.
  Object key() throws IOException {
    return view(ITSELF.toString()).readAttributes().fileKey();
  }

  @Override
  public @Nullable Closeable lock(String name) throws IOException {
    var stat = look(name);
    if (stat != null && !stat.isFile()) {
      // Opening a pipe would block for ever.
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
  public void move(String name, FileOperations.Dir target, String as) throws IOException {
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
      // Nothing was written through this handle.
    }
  }
}
