package dev.handoff.internal.plan.capture;

import dev.handoff.JobId;
import dev.handoff.internal.ask.ThreadPause;
import dev.handoff.plan.CaptureException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Directory of all working copies, named by job and attempt. Copies to keep are in a subdirectory.
///
/// @param directory may not exist yet
public record WorkingCopies(Path directory) {

  private static final Logger log = LoggerFactory.getLogger(WorkingCopies.class);
  private static final String BESIDE = "working-copies";
  private static final List<Duration> AGAIN =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(2));
  private static final String KEPT = "kept";

  /// Directory beside a store that only one process opens.
  public static WorkingCopies beside(Path store) {
    return new WorkingCopies(store.resolve(BESIDE));
  }

  /// Temporary directory, shared with other engines of the same user.
  public static WorkingCopies temporary() {
    var user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9]", "_");
    return new WorkingCopies(
        Path.of(System.getProperty("java.io.tmpdir"), "handoff-working-copies-" + user));
  }

  /// Real path of a new working copy, which does not exist yet.
  Path next(JobId job, int attempt, boolean keep) throws IOException {
    var own = own();
    var real = keep ? Files.createDirectories(own.resolve(KEPT)) : own;
    var name = job + "-" + attempt;
    var copy = real.resolve(name);
    for (int number = 2; Files.exists(copy, LinkOption.NOFOLLOW_LINKS); number++) {
      copy = real.resolve(name + "-" + number);
    }
    return copy;
  }

  /// Directory to exclude from a copy: other working copies, and the store beside them.
  ///
  /// @param source real path of the directory to copy
  /// @return null = nothing to exclude
  /// @throws CaptureException if the copy would contain itself or the store
  @Nullable Path excludedFrom(Path source) throws IOException {
    var own = own();
    var store = own.endsWith(BESIDE) ? own.getParent() : own;
    if (source.equals(store) || source.equals(own) || source.equals(own.resolve(KEPT))) {
      throw new CaptureException(
          "\"%s\" is the engine's own directory, with its store or its working copies: name one"
                  .formatted(source)
              + " below it, or keep the store in a directory of its own, such as handoff-data");
    }
    if (!source.startsWith(store)) {
      return store;
    }
    return source.startsWith(own) ? null : own;
  }

  /// Private directory of this user: working copies may hold confidential files.
  private Path own() throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory.toAbsolutePath().getParent());
      createAlone();
    }
    var real = directory.toRealPath();
    var probe = Files.createTempFile(real, ".own", "");
    try {
      if (!Files.getOwner(probe).equals(Files.getOwner(real))) {
        throw new CaptureException(
            "the directory of working copies %s belongs to %s: remove it"
                .formatted(real, Files.getOwner(real)));
      }
    } finally {
      Files.deleteIfExists(probe);
    }
    return real;
  }

  private void createAlone() throws IOException {
    try {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException byAnother) {
      // Another attempt created the directory first.
    } catch (UnsupportedOperationException notPosix) {
      Files.createDirectories(directory);
    }
  }

  /// Removes the working copies of a dead process's attempt.
  public void clear(JobId job, int attempt) {
    var name = job + "-" + attempt;
    copies().stream()
        .filter(copy -> isOf(copy.getFileName().toString(), name))
        .forEach(WorkingCopies::remove);
  }

  private static boolean isOf(String copy, String attempt) {
    return copy.equals(attempt) || copy.startsWith(attempt + "-");
  }

  /// Working copies of dead processes, in a directory that only this process uses.
  public List<Path> leftovers() {
    return copies().stream().filter(copy -> !copy.endsWith(KEPT)).toList();
  }

  private List<Path> copies() {
    var copies = new ArrayList<Path>();
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      try (var entries = Files.newDirectoryStream(directory.toRealPath())) {
        entries.forEach(copies::add);
      } catch (IOException | DirectoryIteratorException unreadable) {
        log.warn("working copies in [{}] cannot be cleared away", directory, unreadable);
      }
    }
    return copies;
  }

  /// Removes the working copy of a dead process.
  public static void remove(Path copy) {
    remove(copy, CopySource.Nothing.INSTANCE);
  }

  /// Removes a working copy, even on an interrupted thread: no other thread would.
  static void remove(Path copy, CopySource origin) {
    remove(
        copy,
        () -> {
          WorkTrees.remove(copy);
          origin.forget();
        },
        AGAIN);
  }

  /// Way to remove a working copy.
  @FunctionalInterface
  interface Way {
    void go() throws IOException;
  }

  /// @param again delays of the retries, for processes of the tool that still write files
  static void remove(Path copy, Way way, List<Duration> again) {
    boolean interrupted = Thread.interrupted();
    try {
      way.go();
    } catch (DirectoryNotEmptyException inUse) {
      if (again.isEmpty()) {
        log.warn("the working copy [{}] is still written to: delete it by hand if it stays", copy);
      } else {
        ThreadPause.beforeTask(
            again.getFirst(),
            "handoff-copies",
            () -> remove(copy, way, again.subList(1, again.size())));
      }
    } catch (IOException failure) {
      log.warn("the working copy [{}] cannot be removed: delete it by hand", copy, failure);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
