package dev.handoff.internal.plan.apply;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// File operations of an apply.
interface FileOperations {

  /// Opens a directory by a path without links.
  ///
  /// @throws NoHandlesException if the file system has no directory handles
  Dir open(Path directory) throws IOException;

  /// Makes a directory by path: Java cannot make one through a directory handle. The parent must be
  /// a trusted path; the new directory is moved to its place from there.
  ///
  /// @param secret whether only this user may access the directory
  void makeDirectory(Path directory, boolean secret) throws IOException;

  /// Open directory. All names are names of its own entries; no link is followed.
  interface Dir extends Closeable {

    /// @throws IOException also if the entry is a link
    Dir open(String name) throws IOException;

    /// Attributes of an entry; null for a missing one.
    @Nullable FileStat look(String name) throws IOException;

    List<String> names() throws IOException;

    /// Returns whether all entries are among the given names. Stops at the first other entry.
    boolean hasOnly(Set<String> names) throws IOException;

    ReadableByteChannel read(String name) throws IOException;

    /// Creates a file and syncs its content to the disk.
    ///
    /// @param like file whose permissions are copied; null = default permissions
    void write(String name, byte[] content, @Nullable FileStat like) throws IOException;

    /// Locks a file until the lock is closed; creates a missing file.
    ///
    /// @return null if another thread or process holds the lock
    @Nullable Closeable lock(String name) throws IOException;

    /// Renames an entry; replaces a file of the new name.
    void move(String name, Dir target, String as) throws IOException;

    void deleteFile(String name) throws IOException;

    void deleteDirectory(String name) throws IOException;

    /// Syncs the directory's entries to the disk.
    void sync() throws IOException;

    @Override
    void close();
  }
}
