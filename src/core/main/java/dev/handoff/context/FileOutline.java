package dev.handoff.context;

import java.util.Set;
import java.util.function.Function;

/// Structure of a file: definitions, references, and its text per depth.
public interface FileOutline {

  /// Names that identify the file in other files, such as its types; qualified and simple.
  Set<String> defines();

  /// References of the file: qualified or simple type names, and link paths as written.
  Set<String> mentions();

  /// Text of the file at a depth.
  ///
  /// @param terms query terms in the form of `analysis`; used only for [SearchDepth#MATCHED]
  /// @param analysis converts a text to its terms
  String at(SearchDepth depth, Set<String> terms, Function<String, Set<String>> analysis);
}
