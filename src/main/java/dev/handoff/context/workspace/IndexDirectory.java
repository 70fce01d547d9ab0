package dev.handoff.context.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.InfoStream;
import org.jspecify.annotations.Nullable;

/// Opens Lucene indexes. An index only saves work: one that is damaged, of another version or
/// somebody else's is made anew, and that is a note.
final class IndexDirectory {

  private static final String VERSION = "version";
  private static final double BUFFER_MB = 48;

  private final Sources sources;
  private final List<String> notes = new ArrayList<>();

  IndexDirectory(Sources sources) {
    LuceneLog.quieten();
    this.sources = sources;
  }

  /// @param entries what is known of its files
  /// @param onDisk whether another process may read it later
  record Opened(
      Directory directory,
      IndexWriter writer,
      List<Entry> entries,
      boolean onDisk,
      List<String> notes) {}

  /// @param path null = in memory
  Opened open(@Nullable Path path) throws IOException {
    if (path == null) {
      return made(new ByteBuffersDirectory(), false);
    }
    try {
      return openOnDisk(path);
    } catch (LockObtainFailedException held) {
      notes.add("another process has the index %s open: this one is in memory".formatted(path));
      return copied(path);
    } catch (IOException unusable) {
      notes.add("no index can be kept in %s: %s: it is in memory".formatted(path, words(unusable)));
      return made(new ByteBuffersDirectory(), false);
    }
  }

  /// Instead of one that could not be written.
  Opened inMemory(Throwable failure) throws IOException {
    notes.add("the index could not be written: %s: it is in memory".formatted(cause(failure)));
    return made(new ByteBuffersDirectory(), false);
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException || failure instanceof UncheckedIOException
        ? cause(failure.getCause())
        : failure;
  }

  private static String words(IOException failed) {
    return failed instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : failed.getClass().getSimpleName();
  }

  private Opened openOnDisk(Path path) throws IOException {
    Files.createDirectories(path);
    var directory = FSDirectory.open(path);
    try {
      return openOrMake(directory);
    } catch (Throwable failed) {
      directory.close();
      throw failed;
    }
  }

  private Opened openOrMake(Directory directory) throws IOException {
    List<Entry> entries;
    try {
      if (!DirectoryReader.indexExists(directory)) {
        return made(directory, true);
      }
      var known = read(directory);
      if (known.isEmpty()) {
        return made(directory, true);
      }
      entries = known.get();
      return new Opened(directory, writer(directory, false), entries, true, notes);
    } catch (LockObtainFailedException held) {
      throw held;
    } catch (IOException | RuntimeException | LinkageError | AssertionError damaged) {
      notes.add("the index was damaged (%s) and has been made anew".formatted(damaged));
      empty(directory);
      return made(directory, true);
    }
  }

  /// A new index reads the one before to count on from it.
  private static void empty(Directory directory) throws IOException {
    try (var lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      for (var file : directory.listAll()) {
        lock.ensureValid();
        if (!file.equals(IndexWriter.WRITE_LOCK_NAME)) {
          directory.deleteFile(file);
        }
      }
    }
  }

  /// The files of an index, once all of its bytes are compared with their checksums; empty if it is
  /// of another version.
  private Optional<List<Entry>> read(Directory directory) throws IOException {
    try (var reader = DirectoryReader.open(directory)) {
      var version = reader.getIndexCommit().getUserData().get(VERSION);
      if (!sources.version().equals(version)) {
        return Optional.empty();
      }
      var entries = new ArrayList<Entry>();
      for (var leaf : reader.leaves()) {
        leaf.reader().checkIntegrity();
        Documents.read(leaf.reader(), entries);
      }
      return Optional.of(entries);
    }
  }

  private Opened made(Directory directory, boolean onDisk) throws IOException {
    return new Opened(directory, writer(directory, true), List.of(), onDisk, notes);
  }

  /// What another process has committed is taken over; it may be gone while it is being copied.
  private Opened copied(Path path) throws IOException {
    var memory = new ByteBuffersDirectory();
    try (var disk = FSDirectory.open(path);
        var reader = DirectoryReader.open(disk)) {
      for (var file : reader.getIndexCommit().getFileNames()) {
        memory.copyFrom(disk, file, file, IOContext.DEFAULT);
      }
      var known = read(memory);
      if (known.isPresent()) {
        return new Opened(memory, writer(memory, false), known.get(), false, notes);
      }
    } catch (IOException | RuntimeException unreadable) {
      return made(new ByteBuffersDirectory(), false);
    }
    return made(new ByteBuffersDirectory(), false);
  }

  private IndexWriter writer(Directory directory, boolean anew) throws IOException {
    var config = new IndexWriterConfig(sources.vocabulary());
    config.setOpenMode(
        anew ? IndexWriterConfig.OpenMode.CREATE : IndexWriterConfig.OpenMode.CREATE_OR_APPEND);
    config.setRAMBufferSizeMB(BUFFER_MB);
    config.setCodec(new WithoutGraphs());
    config.setMaxFullFlushMergeWaitMillis(0);
    config.setInfoStream(InfoStream.NO_OUTPUT);
    return new IndexWriter(directory, config);
  }

  /// Marks what is committed next.
  static void mark(IndexWriter writer, Sources sources) {
    writer.setLiveCommitData(Map.of(VERSION, sources.version()).entrySet());
  }

  /// Every vector is compared (see [Search#nearest]): no graph of them is made.
  private static final class WithoutGraphs extends Lucene104Codec {
    private static final KnnVectorsFormat FLAT =
        new Lucene99HnswVectorsFormat(
            Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
            Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
            1,
            null,
            Integer.MAX_VALUE);

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
      return FLAT;
    }
  }
}
