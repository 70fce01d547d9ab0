package dev.handoff.testing;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The records and enums of a sealed interface, however deep below it.
public final class Kinds {

  private Kinds() {}

  public static Set<Class<?>> of(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses())
        .flatMap(kind -> kind.isSealed() ? of(kind).stream() : Stream.of(kind))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
