package dev.handoff.testing;

import java.util.Comparator;
import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import scala.jdk.javaapi.CollectionConverters;

/// The actors that an actor has started, of which it tells nobody.
public final class Children {

  private Children() {}

  /// Those that there are now, by name.
  public static List<ActorRef> of(org.apache.pekko.actor.typed.ActorRef<?> parent) {
    var cell = ((ActorRefWithCell) Adapter.toClassic(parent)).underlying();
    return CollectionConverters.asJavaCollection(cell.childrenRefs().children()).stream()
        .sorted(Comparator.comparing(child -> child.path().name()))
        .toList();
  }

  /// The one whose name begins like this.
  public static <T> org.apache.pekko.actor.typed.ActorRef<T> named(
      org.apache.pekko.actor.typed.ActorRef<?> parent, String name) {
    return of(parent).stream()
        .filter(child -> child.path().name().startsWith(name))
        .findFirst()
        .map(Adapter::<T>toTyped)
        .orElseThrow();
  }
}
