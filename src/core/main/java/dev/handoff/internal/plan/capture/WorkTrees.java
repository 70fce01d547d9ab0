package dev.handoff.internal.plan.capture;

import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.text.SafeText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Work tree entries of a repository: `.git/worktrees/NAME` points to a work tree, whose `.git`
/// file points back. `git worktree add` reads all entries and fails at an incomplete one, so
/// entries are added and removed one at a time.
///
/// Entries of foreign work trees are left alone. `git worktree prune` would also remove those on a
/// disk that is not mounted.
final class WorkTrees {

  /// Executor of all additions and removals, one at a time; an idle executor has no thread.
  private static final ExecutorService ONE_AT_A_TIME =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("handoff-work-trees").factory());

  /// Double `--force` reuses the entry of a former work tree of the same path.
  private static final List<String> ADD =
      List.of("worktree", "add", "--force", "--force", "--quiet", "--detach", "--no-checkout");

  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String LINK = "gitdir:";
  private static final int LONGEST_LINK = 8 * 1024;

  private WorkTrees() {}

  /// Directory of a repository's entries, and directory of the work trees that may be removed.
  record Place(Path entries, Path copies) {
    /// Empty if the directory is no work tree.
    static Optional<Place> of(Path copy) throws IOException {
      return entry(copy).map(entry -> new Place(entry.getParent(), copy.getParent()));
    }
  }

  /// Adds a work tree without files, and removes entries of deleted ones. A cancel does not
  /// interrupt it: a killed `git worktree add` leaves an entry at which git fails.
  ///
  /// @param copy path in the directory of removable work trees
  /// @throws dev.handoff.cancel.CancelledException if cancelled before the start
  static GitProgram.Said add(GitProgram git, Path copy, String commit)
      throws IOException, InterruptedException {
    var said = toItsEnd(() -> added(git, copy, commit));
    if (Thread.interrupted()) {
      throw new InterruptedException("a work tree was made all the same");
    }
    return said;
  }

  private static GitProgram.Said added(GitProgram git, Path copy, String commit)
      throws IOException, InterruptedException {
    git.stop().throwIfCancelled();
    var words = new ArrayList<>(ADD);
    words.addAll(List.of(copy.toString(), commit));
    var said = git.finish(LONGEST, words);
    var place = Place.of(copy);
    if (place.isPresent()) {
      swept(place.get());
    }
    return said;
  }

  /// Removes entries of deleted work trees: a killed attempt may have left some.
  static void sweep(Place place) throws IOException {
    toItsEnd(() -> swept(place));
  }

  private static Void swept(Place place) throws IOException {
    var gone = new ArrayList<Path>();
    try (var all = Files.newDirectoryStream(place.entries())) {
      for (var entry : all) {
        copy(entry)
            .filter(copy -> copy.startsWith(place.copies()))
            .filter(copy -> !Files.exists(copy, LinkOption.NOFOLLOW_LINKS))
            .ifPresent(copy -> gone.add(entry));
      }
    } catch (NoSuchFileException | DirectoryIteratorException none) {
      // The repository has no work trees any more.
    }
    for (var entry : gone) {
      forgotten(entry);
    }
    return null;
  }

  /// Removes a directory that may be a work tree. Its entry goes first: an interrupted removal then
  /// leaves an ordinary directory.
  static void remove(Path copy) throws IOException {
    var entry = entry(copy);
    if (entry.isPresent() && copy(entry.get()).filter(copy::equals).isPresent()) {
      toItsEnd(() -> forgotten(entry.get()));
    }
    DirectoryRemoval.of(copy);
  }

  private static Void forgotten(Path entry) throws IOException {
    try {
      DirectoryRemoval.of(entry);
      Files.deleteIfExists(entry.getParent());
    } catch (DirectoryNotEmptyException others) {
      // Other work trees still have entries.
    }
    return null;
  }

  /// Runs short work to its end; an interrupt is deferred.
  private static <T> T toItsEnd(Callable<T> work) throws IOException {
    var done = ONE_AT_A_TIME.submit(work);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return done.get();
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failed) {
      throw failure(failed);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IOException failure(ExecutionException failed) {
    return switch (failed.getCause()) {
      case IOException known -> known;
      case CancelledException known -> throw known;
      case null, default -> new IOException(failed.getCause());
    };
  }

  /// Repository entry of a work tree; empty if the directory is none.
  private static Optional<Path> entry(Path copy) throws IOException {
    return text(copy.resolve(".git"))
        .filter(line -> line.startsWith(LINK))
        .map(line -> copy.resolve(line.substring(LINK.length()).strip()).normalize())
        .filter(entry -> entry.getNameCount() > 2)
        .filter(entry -> entry.getParent().endsWith("worktrees"));
  }

  /// Work tree of an entry. Git may have rewritten both paths as relative ones.
  private static Optional<Path> copy(Path entry) throws IOException {
    return text(entry.resolve("gitdir")).map(line -> entry.resolve(line).normalize().getParent());
  }

  /// Reads a pointer file, with a size limit: a tool in the work tree may have overwritten it.
  private static Optional<String> text(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (var in = Files.newInputStream(file)) {
      return Optional.of(new String(in.readNBytes(LONGEST_LINK), StandardCharsets.UTF_8).strip())
          .filter(SafeText::isClean);
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }
}
