package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.WorkspaceView;
import dev.handoff.internal.git.GitPlace;
import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.MergeCommand;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The commits of a workspace")
class GitHistoryTest {

  @TempDir Path temporary;
  private Path root;

  @BeforeEach
  void findRoot() throws IOException {
    root = Files.createDirectory(IndexViews.real(temporary).resolve("root"));
  }

  private static Git init(Path directory) throws Exception {
    return Git.init().setDirectory(directory.toFile()).setInitialBranch("main").call();
  }

  private RevCommit commit(Git git, String message, String... files) throws Exception {
    for (var file : files) {
      IndexViews.write(git.getRepository().getWorkTree().toPath(), file, message + file);
    }
    git.add().addFilepattern(".").call();
    git.add().addFilepattern(".").setUpdate(true).call();
    var who = new PersonIdent("Ada", "ada@example.org");
    return git.commit().setMessage(message).setAuthor(who).setCommitter(who).setSign(false).call();
  }

  private static List<String> messages(List<WorkspaceView.GitCommit> commits) {
    return commits.stream().map(WorkspaceView.GitCommit::message).toList();
  }

  private static List<WorkspaceView.GitCommit> commits(Path directory, int limit) {
    try (var view = IndexViews.of(directory)) {
      return view.commits(limit);
    }
  }

  private static void assertHasOnlyANote(Path directory) {
    try (var view = IndexViews.of(directory)) {
      assertThat(view.commits(9)).isEmpty();
      assertThat(view.notes()).isNotEmpty();
    }
  }

  @Test
  void areTheNewestFirstWithTheFilesThatTheyChanged() throws Exception {
    try (var git = init(root)) {
      commit(git, "first", "a.txt", "b.txt");
      commit(git, "second", "b.txt", "sub/c.txt");
      Files.delete(root.resolve("a.txt"));
      var last = commit(git, "third");

      try (var view = IndexViews.of(root)) {
        var commits = view.commits(9);

        assertThat(view.hasGit()).isTrue();
        assertThat(messages(commits)).containsExactly("second", "first");
        assertThat(commits.get(0).files()).containsExactly("b.txt", "sub/c.txt");
        assertThat(commits.get(1).files())
            .as("those that are still there")
            .containsExactly("b.txt");
        assertThat(commits.get(0).author()).isEqualTo("Ada");
        assertThat(commits.get(0).id()).hasSize(40).isNotEqualTo(last.name());
        assertThat(commits.get(0).at()).isAfter("2020-01-01T00:00:00Z");
        assertThat(messages(view.commits(1))).containsExactly("second");
        assertThat(view.commits(0)).isEmpty();
        assertThat(view.commits(-1)).isEmpty();
      }
    }
  }

  @Test
  void areThoseOfItsOwnDirectory() throws Exception {
    try (var git = init(root)) {
      commit(git, "first", "a.txt", "sub/c.txt", "subway/d.txt");
      commit(git, "second", "a.txt");

      var commits = commits(root.resolve("sub"), 9);

      assertThat(messages(commits)).containsExactly("first");
      assertThat(commits.getFirst().files()).containsExactly("c.txt");
    }
  }

  @Test
  void areReadOnceForEachCommitThatIsCheckedOut() throws Exception {
    try (var git = init(root)) {
      commit(git, "first", "a.txt");
      var place = GitPlace.around(root).orElseThrow();
      var settings = IndexViews.settings("").history();
      var known = GitHistory.read(place, root, settings, CommitLog.NONE);

      assertThat(GitHistory.read(place, root, settings, known)).isSameAs(known);

      commit(git, "second", "a.txt");
      assertThat(messages(GitHistory.read(place, root, settings, known).commits()))
          .containsExactly("second", "first");
    }
  }

  @Test
  void areNoMoreThanTheSettingsAllow() throws Exception {
    try (var git = init(root)) {
      for (int number = 0; number < 5; number++) {
        commit(git, "commit " + number, "a.txt");
      }
    }
    var system = InstantSource.system();
    var few = IndexViews.sources(root, "history.commits = 2", system, new HashedEmbedder());
    var hurried = IndexViews.sources(root, "history.patience = 0s", system, new HashedEmbedder());

    try (var view = IndexViews.of(few)) {
      assertThat(view.commits(9)).hasSize(2);
    }
    try (var view = IndexViews.of(hurried)) {
      assertThat(view.commits(9)).isEmpty();
      assertThat(view.notes().getFirst()).contains("handoff.context.workspace.history.patience");
    }
  }

  @Test
  void leaveMergesOut() throws Exception {
    try (var git = init(root)) {
      commit(git, "first", "a.txt");
      git.checkout().setCreateBranch(true).setName("side").call();
      var side = commit(git, "side", "b.txt");
      git.checkout().setName("main").call();
      commit(git, "main", "c.txt");
      git.merge().include(side).setFastForward(MergeCommand.FastForwardMode.NO_FF).call();

      assertThat(messages(commits(root, 9))).containsExactlyInAnyOrder("main", "side", "first");
    }
  }

  @Test
  void areNoneWithoutARepository() {
    IndexViews.write(root, "a.txt", "text");

    try (var view = IndexViews.of(root)) {
      assertThat(view.hasGit()).isFalse();
      assertThat(view.commits(9)).isEmpty();
      assertThat(view.notes()).isEmpty();
    }
  }

  @Test
  void areNoneYetInANewRepository() throws Exception {
    init(root).close();
    IndexViews.write(root, "a.txt", "text");

    assertHasOnlyANote(root);
  }

  @Test
  void areNoneOfABareRepository() throws Exception {
    Git.init().setBare(true).setDirectory(root.toFile()).call().close();

    try (var view = IndexViews.of(root)) {
      assertThat(view.hasGit()).isFalse();
      assertThat(view.commits(9)).isEmpty();
    }
  }

  @Test
  void leaveOutTheOldestOfAShallowClone() throws Exception {
    try (var git = init(root)) {
      commit(git, "first", "a.txt", "b.txt");
      commit(git, "second", "a.txt");
      commit(git, "third", "b.txt");
    }
    var clone = root.resolveSibling("clone");
    Git.cloneRepository()
        .setURI(root.toUri().toString())
        .setDirectory(clone.toFile())
        .setDepth(2)
        .call()
        .close();

    assertThat(messages(commits(clone, 9))).containsExactly("third");
  }

  @Test
  void areThoseOfAnotherWorkTree() throws Exception {
    try (var git = init(root)) {
      commit(git, "first", "a.txt");
      commit(git, "second", "a.txt");
    }
    var other = Files.createDirectory(root.resolveSibling("other"));
    var own = Files.createDirectories(root.resolve(".git/worktrees/other"));
    Files.writeString(own.resolve("HEAD"), "ref: refs/heads/main\n");
    Files.writeString(own.resolve("commondir"), "../..\n");
    Files.writeString(own.resolve("gitdir"), other.resolve(".git") + "\n");
    Files.writeString(other.resolve(".git"), "gitdir: " + own + "\n");
    IndexViews.write(other, "a.txt", "text");

    assertThat(messages(commits(other, 9))).containsExactly("second", "first");
  }

  /// The files are found even if the repository is damaged.
  @Test
  void areAsManyAsADamagedRepositoryStillHas() throws Exception {
    RandomSeeds.each(
        20,
        random -> {
          var directory = Files.createTempDirectory(root, "damaged");
          try (var git = init(directory)) {
            commit(git, "first", "a.txt");
            commit(git, "second", "a.txt");
          }
          List<Path> files;
          try (var all = Files.walk(directory.resolve(".git"))) {
            files =
                all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("config"))
                    .sorted()
                    .toList();
          }
          var file = files.get(random.nextInt(files.size()));
          file.toFile().setWritable(true);
          var bytes = Files.readAllBytes(file);
          if (bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] ^= 0x15;
          }
          Files.write(file, bytes);

          try (var view = IndexViews.of(directory)) {
            assertThat(view.commits(9)).hasSizeLessThanOrEqualTo(2);
            assertThat(view.paths()).containsExactly("a.txt");
          }
        });
  }

  @Test
  void areReadAgainWhenReadingThemHadFailed() throws Exception {
    try (var git = init(root)) {
      var commit = commit(git, "first", "a.txt").name();
      var objects = root.resolve(".git/objects").resolve(commit.substring(0, 2));
      var away = root.resolve("away");
      Files.move(objects, away);
      var place = GitPlace.around(root).orElseThrow();
      var settings = IndexViews.settings("").history();
      var failed = GitHistory.read(place, root, settings, CommitLog.NONE);
      Files.move(away, objects);

      assertThat(failed.whole()).isFalse();
      assertThat(GitHistory.read(place, root, settings, failed).commits()).hasSize(1);
    }
  }

  @Test
  void areNoneWithTheirObjectsGone() throws Exception {
    try (var git = init(root)) {
      var commit = commit(git, "first", "a.txt").name();
      var object = root.resolve(".git/objects").resolve(commit.substring(0, 2));
      Files.delete(object.resolve(commit.substring(2)));
    }

    assertHasOnlyANote(root);
  }
}
