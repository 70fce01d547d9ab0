package dev.handoff.testing;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Lists the records and enums of a sealed interface at all levels.
public final class SealedKinds {

  private SealedKinds() {}

  public static Set<Class<?>> of(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses())
        .flatMap(kind -> kind.isSealed() ? of(kind).stream() : Stream.of(kind))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
