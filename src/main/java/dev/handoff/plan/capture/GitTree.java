package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.workspace.Ignored;
import dev.handoff.store.Blob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A directory in a git repository, copied as a work tree of its own: its last commit, with what
/// has been changed since and is not ignored, and with the files of its submodules; each file as it
/// is in the directory. The links in it are taken out.
final class GitTree implements Origin {

  /// What the entry of one in the index begins with.
  private static final String SUBMODULE = "160000 ";

  private final Path directory;
  private final @Nullable Path excluded;
  private final String prefix;
  private final String commit;
  private final CaptureLimits limits;
  private final CancellationToken stop;
  private final GitProgram git;
  private Optional<WorkTrees.Place> made = Optional.empty();

  private GitTree(PlainTree plain, GitProgram git, String prefix, String commit) {
    this.directory = plain.directory();
    this.excluded = plain.excluded();
    this.limits = plain.limits();
    this.stop = plain.stop();
    this.git = git;
    this.prefix = prefix;
    this.commit = commit;
  }

  /// The same directory as part of its repository; empty if it is in none that has a commit, is
  /// ignored there, or there is no git.
  ///
  /// @throws CaptureException if it is what git keeps a repository in
  static Optional<GitTree> of(PlainTree plain) throws InterruptedException {
    var git = new GitProgram(plain.directory(), plain.stop());
    var place = git.run("rev-parse", "--is-inside-work-tree", "--show-prefix");
    if (!place.isFine()) {
      return Optional.empty();
    }
    if (!place.lines(2).getFirst().equals("true")) {
      throw new CaptureException(
          "\"%s\" belongs to git: name a work tree of it".formatted(plain.directory()));
    }
    var prefix = place.lines(2).getLast();
    var commit = git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
    boolean isPart =
        commit.isFine() && (prefix.isEmpty() || git.run("check-ignore", "-q", ".").exitCode() == 1);
    return isPart
        ? Optional.of(new GitTree(plain, git, prefix, commit.lines(1).getFirst()))
        : Optional.empty();
  }

  @Override
  public Path fill(Path copy) throws IOException, InterruptedException {
    require(WorkTrees.add(git, copy, commit), "make a work tree");
    made = WorkTrees.Place.of(copy);
    var files = new GitProgram(copy, stop).run("reset", "--hard", "--quiet");
    require(files, "fill a work tree");
    var place = within(copy);
    withoutLinks(place);
    var changed = changed();
    changed.addAll(converted(place));
    for (var name : changed) {
      if (!isFile(directory.resolve(name))) {
        SourceFiles.delete(place.resolve(name), place);
      }
    }
    for (var name : changed) {
      bring(name, place);
    }
    for (var name : submodules()) {
      bringAll(name, place);
    }
    return place;
  }

  /// The place of the directory within the copy. What the commit has there instead, or above it, is
  /// out of date; if that is a link, it leads somewhere else.
  private Path within(Path copy) throws IOException {
    var place = copy;
    for (var part : prefix.split("/")) {
      place = place.resolve(part);
      if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(place);
        Files.createDirectory(place);
      }
    }
    return place;
  }

  private void withoutLinks(Path place) throws IOException {
    var all = new TreeWalk.Rules(Ignored.nothing(), name -> true, null, limits);
    var links = new ArrayList<Path>();
    TreeWalk.through(
        place,
        all,
        stop,
        new TreeWalk.Visitor() {
          @Override
          public void file(String name, Path file, BasicFileAttributes seen) {}

          @Override
          public void other(String name, Path entry, BasicFileAttributes seen) {
            links.add(entry);
          }
        });
    for (var link : links) {
      Files.delete(link);
    }
  }

  /// What is in the copy, and something else in the directory although git sees no difference: it
  /// converts what it checks out, line endings above all, and may have been told not to look.
  private List<String> converted(Path place) throws IOException {
    var names = new ArrayList<String>();
    var all = new TreeWalk.Rules(Ignored.nothing(), name -> true, null, limits);
    TreeWalk.through(
        place,
        all,
        stop,
        new TreeWalk.Visitor() {
          @Override
          public void file(String name, Path file, BasicFileAttributes seen) throws IOException {
            if (!holdsTheSame(directory.resolve(name), file)) {
              names.add(name);
            }
          }

          @Override
          public void other(String name, Path entry, BasicFileAttributes seen) {}
        });
    return names;
  }

  private static boolean holdsTheSame(Path there, Path file) throws IOException {
    try {
      return Files.isRegularFile(there, LinkOption.NOFOLLOW_LINKS)
          && Files.mismatch(there, file) < 0;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /// What differs from the commit, and what git does not know and does not ignore.
  private List<String> changed() throws InterruptedException {
    var names = new ArrayList<String>();
    for (var said :
        new GitProgram.Said[] {
          git.run("diff", "--relative", "--name-only", "--no-renames", "-z", commit, "--", "."),
          git.run("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
        }) {
      names.addAll(require(said, "tell what has been changed").names());
    }
    if (names.size() > limits.files()) {
      throw new CaptureException(
          "more than %d files are not committed in %s: commit them, ignore them, or allow for more"
              .formatted(limits.files(), directory));
    }
    return names;
  }

  private void bring(String name, Path place) throws IOException {
    stop.throwIfCancelled();
    var from = directory.resolve(name);
    boolean isOurs = excluded != null && from.startsWith(excluded);
    if (!isOurs && isFile(from)) {
      SourceFiles.copy(from, place.resolve(name));
    }
  }

  private static boolean isFile(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  /// Those of which there are files: a work tree has but an empty directory for each.
  private List<String> submodules() throws InterruptedException {
    var said = git.run("ls-files", "--stage", "-z", "--", ".");
    return require(said, "tell the submodules").names().stream()
        .filter(entry -> entry.startsWith(SUBMODULE))
        .map(entry -> entry.substring(entry.indexOf('\t') + 1))
        .filter(name -> Files.isDirectory(directory.resolve(name), LinkOption.NOFOLLOW_LINKS))
        .distinct()
        .toList();
  }

  private void bringAll(String name, Path place) throws IOException {
    var from = directory.resolve(name);
    var rules = new TreeWalk.Rules(Ignored.in(from, from), file -> false, excluded, limits);
    TreeWalk.through(from, rules, stop, new PlainTree.Copying(place.resolve(name)));
  }

  @Override
  public Ignored ignored(Path place) {
    return Ignored.in(directory, place);
  }

  /// From the directory, or from the commit if the file has been changed there meanwhile.
  @Override
  public byte @Nullable [] content(String name, String sha256)
      throws IOException, InterruptedException {
    var there = SourceFiles.content(directory.resolve(name), sha256);
    if (there != null) {
      return there;
    }
    var blob = git.run("cat-file", "blob", commit + ":" + prefix + name);
    return blob.isFine() && blob.out().length <= Blob.MOST_BYTES
        ? SourceFiles.ifIntact(blob.out(), sha256)
        : null;
  }

  /// A tool may have deleted what tells whose work tree it was.
  @Override
  public void forget() throws IOException {
    if (made.isPresent()) {
      WorkTrees.sweep(made.get());
    }
  }

  private GitProgram.Said require(GitProgram.Said said, String what) {
    if (!said.isFine()) {
      throw new CaptureException(
          "git does not %s of %s: %s".formatted(what, directory, said.error()));
    }
    return said;
  }
}
