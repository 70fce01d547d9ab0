package dev.handoff.internal.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.git.GitIgnoreRules;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.plan.CaptureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Directory in a git repository, copied as a separate work tree at the same commit. The copy has
/// the tracked files and the untracked ones that are not ignored, each in its present state, and
/// the files of submodules. Links and the rest of the repository are left out.
final class GitTree implements CopySource {

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

  /// Git view of a directory; empty without git, without a repository or a commit, or if the
  /// directory is ignored.
  ///
  /// @throws CaptureException if the directory is a git directory itself
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

  /// Makes the work tree without a checkout: git would convert and filter all files of the
  /// repository, only to have them replaced. Limits are checked before the first write.
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
    var size = new CopySize(limits, directory);
    files.forEach(file -> size.add(file.toFile().length()));
    for (var name : submodules) {
      through(name, new Counting(size));
    }
  }

  /// Walks over a submodule. Git's own work tree has only an empty directory for it.
  private void through(String submodule, TreeWalk.Visitor visitor) throws IOException {
    var from = directory.resolve(submodule);
    var rules = new TreeWalk.Rules(GitIgnoreRules.in(from, from), file -> false, excluded, limits);
    TreeWalk.through(from, rules, stop, visitor);
  }

  /// Visitor that counts files.
  private record Counting(CopySize size) implements TreeWalk.Visitor {
    @Override
    public void file(String name, Path file, BasicFileAttributes seen) {
      size.add(seen.size());
    }

    @Override
    public void other(String name, Path entry, BasicFileAttributes seen) {
      // Neither counted nor copied.
    }
  }

  @Override
  public GitIgnoreRules ignored(Path place) {
    return GitIgnoreRules.in(directory, place);
  }

  /// Content from the directory, or from the commit if the file has changed in the directory.
  @Override
  public byte @Nullable [] content(String name, String sha256)
      throws IOException, InterruptedException {
    var there = SourceFiles.content(directory.resolve(name), sha256);
    if (there != null) {
      return there;
    }
    var blob = git.run("cat-file", "blob", commit + ":" + prefix + name);
    return blob.isFine() && blob.out().length <= PackedBlob.MOST_BYTES
        ? SourceFiles.ifIntact(blob.out(), sha256)
        : null;
  }

  /// Removes the work tree's entry. Its place was noted at the start, because a tool may have
  /// deleted the `.git` file that names the entry.
  @Override
  public void forget() throws IOException {
    if (made.isPresent()) {
      WorkTrees.sweep(made.get());
    }
  }
}
