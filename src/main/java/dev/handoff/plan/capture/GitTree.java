package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.workspace.Ignored;
import dev.handoff.store.Blob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A directory in a git repository, copied as a work tree of its own at the same commit: the files
/// of the directory that git knows or does not ignore, and those of its submodules, each as it is
/// there. Links are left out, and so is what the repository has around the directory.
final class GitTree implements Origin {

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

  /// Git checks nothing out: it would convert and filter files, and all of the repository, only to
  /// have them replaced. What is too much is known before anything is written.
  @Override
  public Path fill(Path copy) throws IOException, InterruptedException {
    var names = GitNames.of(git, commit);
    var found = new FoundFiles(directory, excluded);
    var files = found.files(names.files());
    var submodules = names.submodules().stream().filter(found::isDirectory).toList();
    count(files, submodules);

    WorkTrees.add(git, copy, commit).orThrow("make a work tree", directory);
    made = WorkTrees.Place.of(copy);
    var index = new CopyIndex(new GitProgram(copy, stop), directory);
    index.fill(commit);
    index.leaveOut(prefix, found.missing(names.sparse()));

    var place = Files.createDirectories(copy.resolve(prefix));
    for (var file : files) {
      stop.throwIfCancelled();
      SourceFiles.copy(file, place.resolve(directory.relativize(file)));
    }
    for (var name : submodules) {
      var within = Files.createDirectories(place.resolve(name));
      through(name, new PlainTree.Copying(within));
    }
    index.refresh();
    return place;
  }

  private void count(List<Path> files, List<String> submodules) throws IOException {
    var tally = new Tally(limits, directory);
    files.forEach(file -> tally.add(file.toFile().length()));
    for (var name : submodules) {
      through(name, new Counting(tally));
    }
  }

  /// A work tree has but an empty directory for each submodule.
  private void through(String submodule, TreeWalk.Visitor visitor) throws IOException {
    var from = directory.resolve(submodule);
    var rules = new TreeWalk.Rules(Ignored.in(from, from), file -> false, excluded, limits);
    TreeWalk.through(from, rules, stop, visitor);
  }

  /// Counts what is found.
  private record Counting(Tally tally) implements TreeWalk.Visitor {
    @Override
    public void file(String name, Path file, BasicFileAttributes seen) {
      tally.add(seen.size());
    }

    @Override
    public void other(String name, Path entry, BasicFileAttributes seen) {
      // Is not copied.
    }
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
}
