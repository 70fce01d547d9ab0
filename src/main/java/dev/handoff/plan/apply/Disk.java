package dev.handoff.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The operations on files that an apply is made of.
interface Disk {

  /// Opens a directory that is named without links.
  ///
  /// @throws NoHandlesException if its file system has no handles for directories
  Dir open(Path directory) throws IOException;

  /// Makes a directory. There is no way to do that through a handle: so it is done right in a
  /// directory whose name is beyond doubt, and what is made is moved from there.
  ///
  /// @param secret whether nobody else may look into it
  void makeDirectory(Path directory, boolean secret) throws IOException;

  /// An open directory. All names are those of its own entries, and no link is followed.
  interface Dir extends Closeable {

    /// @throws IOException also if it is a link
    Dir open(String name) throws IOException;

    /// What is there under a name; null if nothing is.
    @Nullable Seen look(String name) throws IOException;

    List<String> names() throws IOException;

    /// Whether all of its entries are among the given ones. Looks no further than it must.
    boolean hasOnly(Set<String> names) throws IOException;

    ReadableByteChannel read(String name) throws IOException;

    /// Makes a file that was not there, and returns when its content is on the disk.
    ///
    /// @param like whose permissions it is to have; null = those of any new file
    void write(String name, byte[] content, @Nullable Seen like) throws IOException;

    /// Holds a file, which is made if it is not there, until it is closed.
    ///
    /// @return null if somebody else holds it, in this process or in another one
    @Nullable Closeable lock(String name) throws IOException;

    /// Moves an entry; a file that is there under the new name is replaced.
    void move(String name, Dir target, String as) throws IOException;

    void deleteFile(String name) throws IOException;

    void deleteDirectory(String name) throws IOException;

    /// Returns when the names of its entries are on the disk.
    void sync() throws IOException;

    @Override
    void close();
  }
}
