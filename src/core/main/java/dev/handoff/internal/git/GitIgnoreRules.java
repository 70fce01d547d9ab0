package dev.handoff.internal.git;

import java.nio.file.Path;

/// Git ignore decisions for a caller that walks a directory tree.
public sealed interface GitIgnoreRules {

  /// @param name of an entry in the directory
  boolean ignores(String name, boolean isDirectory);

  /// Decisions for a subdirectory.
  ///
  /// @param name of the subdirectory: an entry of this directory
  GitIgnoreRules below(String name, Path directory);

  /// Decisions for a root; ignores nothing outside a repository.
  ///
  /// @param root real path
  /// @param files directory with the root's own ignore file; may be a copy of the root
  static GitIgnoreRules in(Path root, Path files) {
    return GitPlace.around(root)
        .<GitIgnoreRules>map(
            git ->
                new ByRules(git.rulesAbove(root, IgnoreProblems.UNHEARD))
                    .below(git.workTree().equals(root) ? "" : root.getFileName().toString(), files))
        .orElse(Nothing.INSTANCE);
  }

  static GitIgnoreRules nothing() {
    return Nothing.INSTANCE;
  }

  /// Decisions by the rules of a repository.
  record ByRules(IgnoreRules rules) implements GitIgnoreRules {
    @Override
    public boolean ignores(String name, boolean isDirectory) {
      return rules.ignores(name, isDirectory);
    }

    @Override
    public GitIgnoreRules below(String name, Path directory) {
      return new ByRules(
          rules.below(name, directory.resolve(".gitignore"), IgnoreProblems.UNHEARD));
    }
  }

  static GitIgnoreRules everything() {
    return Everything.INSTANCE;
  }

  /// State below an ignored directory.
  enum Everything implements GitIgnoreRules {
    INSTANCE;

    @Override
    public boolean ignores(String name, boolean isDirectory) {
      return true;
    }

    @Override
    public GitIgnoreRules below(String name, Path directory) {
      return this;
    }
  }

  /// State outside a repository.
  enum Nothing implements GitIgnoreRules {
    INSTANCE;

    @Override
    public boolean ignores(String name, boolean isDirectory) {
      return false;
    }

    @Override
    public GitIgnoreRules below(String name, Path directory) {
      return this;
    }
  }
}
