package dev.handoff.internal.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Ordered messages for jobs or plans without an actor, until a lookup has its result. One lookup
/// serves all messages of an entity.
final class MessagesInWaiting<K, M> {

  private final Map<K, List<M>> waiting = new HashMap<>();
  private final int room;

  /// @param room limit of waiting messages per entity
  MessagesInWaiting(int room) {
    this.room = room;
  }

  /// Makes messages for the entity wait.
  void open(K id) {
    waiting.computeIfAbsent(id, first -> new ArrayList<>(1));
  }

  boolean isOpen(K id) {
    return waiting.containsKey(id);
  }

  /// @return whether there was room
  boolean add(K id, M message) {
    var messages = waiting.get(id);
    return messages.size() < room && messages.add(message);
  }

  /// Ends the wait and returns the messages.
  List<M> close(K id) {
    var messages = waiting.remove(id);
    return messages == null ? List.of() : messages;
  }
}
