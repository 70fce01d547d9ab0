package dev.handoff.plan.capture;

import dev.handoff.cancel.CancelledException;
import dev.handoff.job.Text;
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

/// The entries that a repository keeps of its work trees: `.git/worktrees/NAME` says where one is,
/// and the `.git` of that one says where its entry is. Git reads all of them when it makes one, and
/// fails at one that is half there: so it is one at a time that comes or goes.
///
/// Those of others are none of our business. Git's own `worktree prune` would take away those that
/// are on a disk which is not there at the moment.
final class WorkTrees {

  /// All that comes and goes does so here, one after the other; without work there is no thread.
  private static final ExecutorService ONE_AT_A_TIME =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("handoff-work-trees").factory());

  /// Also where one of that name was before, and has left its entry.
  private static final List<String> ADD =
      List.of("worktree", "add", "--force", "--force", "--quiet", "--detach", "--no-checkout");

  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String LINK = "gitdir:";
  private static final int LONGEST_LINK = 8 * 1024;

  private WorkTrees() {}

  /// Where the entries of a repository are, and the work trees among them that may be cleared up.
  record Place(Path entries, Path copies) {
    /// Empty if a directory is no work tree.
    static Optional<Place> of(Path copy) throws IOException {
      return entry(copy).map(entry -> new Place(entry.getParent(), copy.getParent()));
    }
  }

  /// Makes a work tree without files in it, and takes away the entries of those that are gone. Who
  /// cancels it meanwhile has it nevertheless: git reads what a killed one leaves, and fails.
  ///
  /// @param copy in the directory where all are that may be cleared up
  /// @throws dev.handoff.cancel.CancelledException if that was before it began
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

  /// Takes away the entries of work trees that are gone: an attempt that was killed may have left
  /// one.
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
      // It has no work trees any more.
    }
    for (var entry : gone) {
      forgotten(entry);
    }
    return null;
  }

  /// Removes a directory, which may be a work tree. The entry goes first: what is left, if this is
  /// interrupted, is a directory like any other.
  static void remove(Path copy) throws IOException {
    var entry = entry(copy);
    if (entry.isPresent() && copy(entry.get()).filter(copy::equals).isPresent()) {
      toItsEnd(() -> forgotten(entry.get()));
    }
    Removal.of(copy);
  }

  private static Void forgotten(Path entry) throws IOException {
    try {
      Removal.of(entry);
      Files.deleteIfExists(entry.getParent());
    } catch (DirectoryNotEmptyException others) {
      // It has other work trees.
    }
    return null;
  }

  /// Does not take long, and is not left half done.
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

  /// What the repository of a work tree keeps of it; empty if it is none.
  private static Optional<Path> entry(Path copy) throws IOException {
    return text(copy.resolve(".git"))
        .filter(line -> line.startsWith(LINK))
        .map(line -> copy.resolve(line.substring(LINK.length()).strip()).normalize())
        .filter(entry -> entry.getNameCount() > 2)
        .filter(entry -> entry.getParent().endsWith("worktrees"));
  }

  /// Where the work tree of an entry is. Both may have been made relative since.
  private static Optional<Path> copy(Path entry) throws IOException {
    return text(entry.resolve("gitdir")).map(line -> entry.resolve(line).normalize().getParent());
  }

  /// Whoever works in the tree may have written it.
  private static Optional<String> text(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (var in = Files.newInputStream(file)) {
      return Optional.of(new String(in.readNBytes(LONGEST_LINK), StandardCharsets.UTF_8).strip())
          .filter(Text::isClean);
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }
}
