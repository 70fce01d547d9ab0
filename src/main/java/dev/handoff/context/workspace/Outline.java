package dev.handoff.context.workspace;

import dev.handoff.context.Depth;
import java.util.Set;
import java.util.function.Function;

/// The shape of a file: what it defines, what it refers to, and how it looks at each depth.
public interface Outline {

  /// Names by which others can refer to the file, such as the types that it defines: qualified and
  /// simple ones.
  Set<String> defines();

  /// What the file refers to: qualified or simple names of types, paths of links as they stand
  /// there.
  Set<String> mentions();

  /// What the file looks like.
  ///
  /// @param terms those of the request, as compared by `analysis`; only looked at for
  ///   [Depth#MATCHED]
  /// @param analysis the terms of a text
  String at(Depth depth, Set<String> terms, Function<String, Set<String>> analysis);
}
