package dev.handoff.internal.git;

import java.nio.file.Path;

/// Receives the problems of ignore files. Rules with a problem are left out.
public interface IgnoreProblems {

  /// Reports nothing.
  IgnoreProblems UNHEARD =
      new IgnoreProblems() {
        @Override
        public void unreadable(Path file) {}

        @Override
        public void unusable(String rule) {}
      };

  void unreadable(Path file);

  /// @param rule line of an ignore file that is invalid or too costly
  void unusable(String rule);
}
