package dev.handoff.context.workspace;

/// A member of a type, a chapter, a block: a part of a file with a heading.
///
/// @param shown what an outline shows of it, with its indentation
/// @param from where it begins in the text
/// @param to where it ends there; the same as `from` if there is nothing but what is shown
record Section(String shown, int from, int to) {

  static Section line(String shown) {
    return new Section(shown, 0, 0);
  }

  boolean hasText() {
    return to > from;
  }
}
