package dev.handoff.plan.capture;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What git knows in a directory, by the names from there.
///
/// @param files in its last commit, in the index, or neither known nor ignored; some may be gone
/// @param submodules in the index
/// @param sparse files of the last commit that git was told not to look for
record GitNames(Set<String> files, List<String> submodules, Set<String> sparse) {

  /// What the entry of one begins with.
  private static final String SUBMODULE = "160000 ";

  private static final char NOT_LOOKED_FOR = 'S';

  /// @param git in the directory
  /// @throws CaptureException if it does not tell
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
