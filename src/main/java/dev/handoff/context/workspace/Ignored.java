package dev.handoff.context.workspace;

import java.nio.file.Path;

/// What git ignores in a directory, for those who walk through it themselves.
public sealed interface Ignored {

  /// @param name of an entry of the directory
  boolean ignores(String name, boolean isDirectory);

  /// What it ignores in a directory below.
  ///
  /// @param name of that one: an entry of this
  Ignored below(String name, Path directory);

  /// What it ignores in a root; nothing if that is in no repository.
  ///
  /// @param root a real path
  /// @param files where the root's own rules are, which may be a copy of it
  static Ignored in(Path root, Path files) {
    return GitPlace.around(root)
        .<Ignored>map(
            git ->
                new ByRules(git.rulesAbove(root, new Notes()))
                    .below(git.workTree().equals(root) ? "" : root.getFileName().toString(), files))
        .orElse(Nothing.INSTANCE);
  }

  static Ignored nothing() {
    return Nothing.INSTANCE;
  }

  /// By the rules of a repository.
  record ByRules(IgnoreRules rules) implements Ignored {
    @Override
    public boolean ignores(String name, boolean isDirectory) {
      return rules.ignores(name, isDirectory);
    }

    @Override
    public Ignored below(String name, Path directory) {
      return new ByRules(rules.below(name, directory.resolve(".gitignore"), new Notes()));
    }
  }

  static Ignored everything() {
    return Everything.INSTANCE;
  }

  /// Below a directory that is ignored.
  enum Everything implements Ignored {
    INSTANCE;

    @Override
    public boolean ignores(String name, boolean isDirectory) {
      return true;
    }

    @Override
    public Ignored below(String name, Path directory) {
      return this;
    }
  }

  /// Outside of a repository.
  enum Nothing implements Ignored {
    INSTANCE;

    @Override
    public boolean ignores(String name, boolean isDirectory) {
      return false;
    }

    @Override
    public Ignored below(String name, Path directory) {
      return this;
    }
  }
}
