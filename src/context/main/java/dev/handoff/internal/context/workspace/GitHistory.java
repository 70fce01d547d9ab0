package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.git.GitPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevSort;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;
import org.eclipse.jgit.util.FS;

/// Reads the newest commits below a directory. Merge commits are omitted, because the merged
/// commits contain their changes. Boundary commits of a shallow clone are omitted, because their
/// parents are unknown.
final class GitHistory {

  private static final int MOST_FILES = 1_000;

  private final WorkspaceSettings.History settings;
  private final String prefix;
  private final List<WorkspaceView.GitCommit> commits = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private GitHistory(WorkspaceSettings.History settings, String prefix) {
    this.settings = settings;
    this.prefix = prefix;
  }

  /// JGit measures the timestamp resolution of a file system, which takes seconds at first use. The
  /// measurement runs in the background; this class does not need it.
  static {
    FS.FileStoreAttributes.setBackground(true);
  }

  /// @param known result of an earlier read; returned unchanged while `HEAD` stays equal
  static CommitLog read(
      GitPlace place, Path root, WorkspaceSettings.History settings, CommitLog known) {
    var below = place.workTree().relativize(root).toString().replace('\\', '/');
    var history = new GitHistory(settings, below.isEmpty() ? "" : below + "/");
    var head = "";
    boolean whole = false;
    try (var repository =
        new FileRepositoryBuilder()
            .setGitDir(place.git().toFile())
            .setWorkTree(place.workTree().toFile())
            .setMustExist(true)
            .build()) {
      var id = repository.resolve(Constants.HEAD);
      head = id == null ? "" : id.name();
      if (known.whole() && known.head().equals(head)) {
        return known;
      }
      if (id == null) {
        history.notes.add("the git repository %s has no commit yet".formatted(place.git()));
      } else {
        history.walk(repository, id);
      }
      whole = true;
    } catch (IOException | RuntimeException damaged) {
      history.notes.add(
          "the git repository %s could not be read to its end: %s".formatted(place.git(), damaged));
    }
    return new CommitLog(head, history.commits, whole, history.notes);
  }

  private void walk(Repository repository, ObjectId head) throws IOException {
    long end = System.nanoTime() + settings.patience().toNanos();
    var cut = repository.getObjectDatabase().getShallowCommits();
    try (var walk = new RevWalk(repository)) {
      walk.sort(RevSort.COMMIT_TIME_DESC);
      walk.markStart(walk.parseCommit(head));
      int left = settings.commits();
      for (var commit = walk.next(); commit != null && left > 0; commit = walk.next()) {
        left--;
        if (System.nanoTime() - end > 0) {
          notes.add(
              "commits older than %s were left out: reading them took longer than handoff.context.workspace.history.patience"
                  .formatted(at(commit)));
          return;
        }
        add(walk, commit, cut);
      }
    }
  }

  private void add(RevWalk walk, RevCommit commit, Set<ObjectId> cut) throws IOException {
    if (commit.getParentCount() > 1 || cut.contains(commit)) {
      return;
    }
    var files = files(walk, commit);
    if (!files.isEmpty()) {
      var author = commit.getAuthorIdent();
      commits.add(
          new WorkspaceView.GitCommit(
              commit.name(),
              at(commit),
              author == null ? "" : author.getName(),
              commit.getFullMessage(),
              files));
    }
  }

  private static Instant at(RevCommit commit) {
    return Instant.ofEpochSecond(commit.getCommitTime());
  }

  private SortedSet<String> files(RevWalk walk, RevCommit commit) throws IOException {
    var files = new TreeSet<String>();
    try (var tree = new TreeWalk(walk.getObjectReader())) {
      if (commit.getParentCount() == 0) {
        tree.addTree(new EmptyTreeIterator());
      } else {
        tree.addTree(walk.parseCommit(commit.getParent(0)).getTree());
      }
      tree.addTree(commit.getTree());
      tree.setRecursive(true);
      tree.setFilter(
          prefix.isEmpty()
              ? TreeFilter.ANY_DIFF
              : AndTreeFilter.create(PathFilter.create(prefix), TreeFilter.ANY_DIFF));
      while (tree.next() && files.size() < MOST_FILES) {
        files.add(tree.getPathString().substring(prefix.length()));
      }
    }
    return files;
  }
}
