package dev.handoff.internal.context.workspace;

import dev.handoff.internal.ask.StageFailures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/// Opens Lucene indexes. An index is only a cache: a damaged or outdated index is rebuilt. Problems
/// are recorded as notes.
final class IndexDirectory {

  private static final String VERSION = "version";
  private static final double BUFFER_MB = 48;

  private final IndexedSources sources;
  private final List<String> notes = new ArrayList<>();

  IndexDirectory(IndexedSources sources) {
    LuceneLog.quieten();
    this.sources = sources;
  }

  /// @param entries metadata of the indexed files
  /// @param onDisk whether the index is persistent
  record Opened(
      Directory directory,
      IndexWriter writer,
      List<IndexEntry> entries,
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

  /// Replaces an index after a write failure.
  Opened inMemory(Throwable failure) throws IOException {
    notes.add("the index could not be written: %s: it is in memory".formatted(cause(failure)));
    return made(new ByteBuffersDirectory(), false);
  }

  private static Throwable cause(Throwable failure) {
    var cause = StageFailures.cause(failure);
    return cause instanceof UncheckedIOException io ? io.getCause() : cause;
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
    List<IndexEntry> entries;
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

  /// Deletes all files. Otherwise a new index would read the old one and continue its generation
  /// numbers.
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

  /// Entries of an index after checksum verification; empty for another version.
  private Optional<List<IndexEntry>> read(Directory directory) throws IOException {
    try (var reader = DirectoryReader.open(directory)) {
      var version = reader.getIndexCommit().getUserData().get(VERSION);
      if (!sources.version().equals(version)) {
        return Optional.empty();
      }
      var entries = new ArrayList<IndexEntry>();
      for (var leaf : reader.leaves()) {
        leaf.reader().checkIntegrity();
        IndexDocuments.read(leaf.reader(), entries);
      }
      return Optional.of(entries);
    }
  }

  private Opened made(Directory directory, boolean onDisk) throws IOException {
    return new Opened(directory, writer(directory, true), List.of(), onDisk, notes);
  }

  /// Copies the last commit of another process into memory. Its files may disappear during the
  /// copy; then an empty index is used.
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

  /// Sets the version data of the next commit.
  static void mark(IndexWriter writer, IndexedSources sources) {
    writer.setLiveCommitData(Map.of(VERSION, sources.version()).entrySet());
  }

  /// Codec without vector graphs, because [IndexSearch#nearest] compares every vector.
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
