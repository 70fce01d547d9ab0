package dev.handoff.internal.plan.capture;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Git index of a work tree. Git compares files with it to find changes.
///
/// @param git at the top of the work tree
/// @param of original directory, for messages
record CopyIndex(GitProgram git, Path of) {

  /// Loads a commit into the index.
  void fill(String commit) throws InterruptedException {
    git.run("read-tree", commit).orThrow("fill a work tree", of);
  }

  /// Sets the skip-worktree bit on files outside the directory and on some files inside, as in a
  /// sparse checkout: git then does not report them as deleted.
  ///
  /// @param prefix path of the directory with a trailing `/`; empty = the top, with no files
  ///   outside
  /// @param within names relative to the directory
  void leaveOut(String prefix, Collection<String> within) throws IOException, InterruptedException {
    if (prefix.isEmpty() && within.isEmpty()) {
      return;
    }
    var names = Files.createTempFile("handoff-git-", ".names");
    try {
      if (!prefix.isEmpty()) {
        listAround(prefix, names);
      }
      var more = new StringBuilder();
      within.forEach(name -> more.append(prefix).append(name).append('\0'));
      Files.writeString(names, more, StandardOpenOption.APPEND);
      git.run(
              Redirect.from(names.toFile()),
              Redirect.DISCARD,
              List.of("update-index", "-z", "--skip-worktree", "--stdin"))
          .orThrow("leave files out of a work tree", of);
    } finally {
      Files.delete(names);
    }
  }

  private void listAround(String prefix, Path names) throws InterruptedException {
    var not = ":(top,exclude,literal)" + prefix.substring(0, prefix.length() - 1);
    git.run(
            Redirect.PIPE,
            Redirect.to(names.toFile()),
            List.of("ls-files", "-z", "--", ":(top)", not))
        .orThrow("tell the files around", of);
  }

  /// Refreshes the index, so that later git commands need not compare every file. Filters are off,
  /// because they may be slow or missing. A file that differs without filters is compared again
  /// later; so are all files if the refresh fails.
  void refresh() throws InterruptedException {
    var words = new ArrayList<String>();
    git.run("config", "-z", "--name-only", "--get-regexp", "^filter[.].*[.]").names().stream()
        .map(key -> key.substring(0, key.lastIndexOf('.')))
        .distinct()
        .flatMap(
            filter ->
                List.of(".clean=", ".process=", ".required=false").stream().map(filter::concat))
        .forEach(option -> words.addAll(List.of("-c", option)));
    words.addAll(List.of("update-index", "-q", "--ignore-missing", "--refresh"));
    git.run(words.toArray(String[]::new));
  }
}
