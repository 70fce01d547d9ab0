package dev.handoff.internal.plan.capture;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Names that git knows in a directory, relative to it.
///
/// @param files files in the last commit or in the index, and untracked files that are not ignored;
///   some may be deleted
/// @param submodules submodules in the index
/// @param sparse files of the last commit with the skip-worktree bit
record GitNames(Set<String> files, List<String> submodules, Set<String> sparse) {

  /// Mode of a submodule's entry.
  private static final String SUBMODULE = "160000 ";

  private static final char NOT_LOOKED_FOR = 'S';

  /// @param git program in the directory
  /// @throws CaptureException if git fails
  static GitNames of(GitProgram git, String commit) throws InterruptedException {
    var names = new GitNames(new LinkedHashSet<>(), new ArrayList<>(), new LinkedHashSet<>());
    for (var entry : told(git, "ls-tree", "-r", "-z", commit)) {
      if (!entry.startsWith(SUBMODULE)) {
        names.files.add(name(entry));
      }
    }
    for (var entry : told(git, "ls-files", "-t", "--stage", "-z", "--", ".")) {
      names.add(entry.charAt(0), entry.substring(2));
    }
    names.files.addAll(told(git, "ls-files", "--others", "--exclude-standard", "-z", "--", "."));
    return names;
  }

  private void add(char state, String entry) {
    var name = name(entry);
    if (entry.startsWith(SUBMODULE)) {
      submodules.add(name);
    } else if (!files.add(name) && state == NOT_LOOKED_FOR) {
      sparse.add(name);
    }
  }

  private static String name(String entry) {
    return entry.substring(entry.indexOf('\t') + 1);
  }

  private static List<String> told(GitProgram git, String... words) throws InterruptedException {
    return git.run(words).orThrow("tell the files", git.directory()).names();
  }
}
