package dev.handoff.testing;

import java.util.Comparator;
import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import scala.jdk.javaapi.CollectionConverters;

/// Reads the child actors of an actor, which its protocol does not show.
public final class ChildActors {

  private ChildActors() {}

  /// Current children, sorted by name.
  public static List<ActorRef> of(org.apache.pekko.actor.typed.ActorRef<?> parent) {
    var cell = ((ActorRefWithCell) Adapter.toClassic(parent)).underlying();
    return CollectionConverters.asJavaCollection(cell.childrenRefs().children()).stream()
        .sorted(Comparator.comparing(child -> child.path().name()))
        .toList();
  }

  /// Child whose name has this prefix.
  public static <T> org.apache.pekko.actor.typed.ActorRef<T> named(
      org.apache.pekko.actor.typed.ActorRef<?> parent, String name) {
    return of(parent).stream()
        .filter(child -> child.path().name().startsWith(name))
        .findFirst()
        .map(Adapter::<T>toTyped)
        .orElseThrow();
  }
}
