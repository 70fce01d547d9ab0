package dev.handoff.plan.capture;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The index of a work tree, by which git tells what is different in it.
///
/// @param git at the top of the work tree
/// @param of what it is a copy of
record CopyIndex(GitProgram git, Path of) {

  /// Makes it that of a commit.
  void fill(String commit) throws InterruptedException {
    git.run("read-tree", commit).orThrow("fill a work tree", of);
  }

  /// Has git not miss what is around a directory, and some of what is in it, as in a sparse work
  /// tree.
  ///
  /// @param prefix of the directory, with a `/` at its end; empty = the top, with nothing around it
  /// @param within names in the directory
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

  /// Notes which files are as git has them, so that not everybody who asks looks at all of them. It
  /// does without filters, which may take long or not be there: what differs without them is looked
  /// at again, and so is everything if this fails.
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
