package dev.handoff.internal.context.workspace;

/// A part of a file with a heading: a member, chapter or block.
///
/// @param shown text in the outline, with indentation
/// @param from start offset in the text
/// @param to end offset; equals `from` for a section without body
record OutlineSection(String shown, int from, int to) {

  static OutlineSection line(String shown) {
    return new OutlineSection(shown, 0, 0);
  }

  boolean hasText() {
    return to > from;
  }
}
