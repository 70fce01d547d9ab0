package dev.handoff.context;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Replacements of pipeline parts, at most one per kind. Immutable.
public final class PipelineParts {

  public static final PipelineParts NONE = new PipelineParts(Map.of());

  private final Map<Class<? extends PipelinePart>, PipelinePart> own;

  private PipelineParts(Map<Class<? extends PipelinePart>, PipelinePart> own) {
    this.own = Map.copyOf(own);
  }

  /// Copy with another part, such as `with(PipelinePart.Scorer.class, mine)`.
  public <P extends PipelinePart> PipelineParts with(Class<P> kind, P part) {
    var more = new LinkedHashMap<>(own);
    more.put(kind, kind.cast(part));
    return new PipelineParts(more);
  }

  /// Combines both sets. For a kind in both sets, this set takes precedence.
  public PipelineParts over(PipelineParts others) {
    var all = new LinkedHashMap<>(others.own);
    all.putAll(own);
    return new PipelineParts(all);
  }

  public <P extends PipelinePart> Optional<P> find(Class<P> kind) {
    return Optional.ofNullable(own.get(kind)).map(kind::cast);
  }

  /// @throws IllegalStateException if this kind is missing
  public <P extends PipelinePart> P get(Class<P> kind) {
    return find(kind)
        .orElseThrow(() -> new IllegalStateException("there is no " + kind.getSimpleName()));
  }
}
