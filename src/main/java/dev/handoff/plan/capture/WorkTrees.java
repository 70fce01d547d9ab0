package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// Takes work trees away, of which the repository knows. Which one that is, they say themselves.
final class WorkTrees {

  private static final String LINK = "gitdir:";
  private static final int LONGEST_LINK = 8 * 1024;

  private WorkTrees() {}

  /// Removes a directory, which may be a work tree. Never stopped: what is left lies there.
  static void remove(Path copy) throws IOException, InterruptedException {
    var repository = repository(copy);
    if (repository.isPresent()) {
      var git = new GitProgram(repository.get(), new CancellationSource().token());
      git.run("worktree", "remove", "--force", "--force", copy.toString());
      if (Files.exists(copy, LinkOption.NOFOLLOW_LINKS)) {
        Removal.of(copy);
        git.run("worktree", "prune");
      }
    }
    Removal.of(copy);
  }

  /// What all work trees of its repository share; empty if it is none.
  private static Optional<Path> repository(Path copy) throws IOException {
    var link = copy.resolve(".git");
    if (!Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (var in = Files.newInputStream(link)) {
      var line = new String(in.readNBytes(LONGEST_LINK), StandardCharsets.UTF_8).strip();
      var place = Path.of(line.substring(Math.min(LINK.length(), line.length())).strip());
      var common = place.getParent() == null ? null : place.getParent().getParent();
      return line.startsWith(LINK)
              && place.isAbsolute()
              && common != null
              && place.getParent().endsWith("worktrees")
              && Files.isDirectory(common)
          ? Optional.of(common)
          : Optional.empty();
    }
  }
}
