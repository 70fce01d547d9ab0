package dev.handoff.internal.spi;

import dev.handoff.context.Embedder;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Choices of a program for its context assembly. Immutable.
///
/// @param strategies strategies besides the built-in ones
/// @param parts replacements of pipeline parts
/// @param projects replacements of pipeline parts per project
/// @param embedder embedder of the program; null = the default one
public record ContextChoices(
    List<Strategy> strategies,
    PipelineParts parts,
    Map<String, PipelineParts> projects,
    @Nullable Embedder embedder) {

  public static final ContextChoices NONE =
      new ContextChoices(List.of(), PipelineParts.NONE, Map.of(), null);

  public ContextChoices {
    strategies = List.copyOf(strategies);
    projects = Map.copyOf(projects);
  }
}
