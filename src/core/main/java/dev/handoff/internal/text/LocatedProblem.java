package dev.handoff.internal.text;

import java.util.Collection;
import java.util.List;

/// Problem of a document or a request, with its place.
///
/// @param path path of the step, with `/` between a child plan and its steps; empty for the request
///   itself
/// @param field field of the step or request; empty if no single field is wrong
/// @param line line in the document, counted from 1; 0 = unknown. In a document of one line, the
///   character
/// @param text reason for users, which names the step and the field
public record LocatedProblem(String path, String field, int line, String text) {

  /// Problem of a field, in a request without steps or a document.
  public static LocatedProblem of(String field, String text) {
    return new LocatedProblem("", field, 0, text);
  }

  /// This problem with its line.
  public LocatedProblem inLine(int number) {
    return new LocatedProblem(path, field, number, text);
  }

  /// Reason with its line, if the line is known.
  public String message() {
    return line == 0 ? text : "line %d: %s".formatted(line, text);
  }

  public static List<String> messages(Collection<LocatedProblem> problems) {
    return problems.stream().map(LocatedProblem::message).toList();
  }
}
