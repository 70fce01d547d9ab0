package dev.handoff.context;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Some parts of the pipeline, at most one of each kind: those that replace others. Immutable.
public final class Parts {

  public static final Parts NONE = new Parts(Map.of());

  private final Map<Class<? extends Part>, Part> own;

  private Parts(Map<Class<? extends Part>, Part> own) {
    this.own = Map.copyOf(own);
  }

  /// These and another one, such as `with(Scorer.class, mine)`.
  public <P extends Part> Parts with(Class<P> kind, P part) {
    var more = new LinkedHashMap<>(own);
    more.put(kind, kind.cast(part));
    return new Parts(more);
  }

  /// These, and those of others of which there is none among these.
  public Parts over(Parts others) {
    var all = new LinkedHashMap<>(others.own);
    all.putAll(own);
    return new Parts(all);
  }

  public <P extends Part> Optional<P> find(Class<P> kind) {
    return Optional.ofNullable(own.get(kind)).map(kind::cast);
  }

  /// @throws IllegalStateException if there is none
  public <P extends Part> P get(Class<P> kind) {
    return find(kind)
        .orElseThrow(() -> new IllegalStateException("there is no " + kind.getSimpleName()));
  }
}
