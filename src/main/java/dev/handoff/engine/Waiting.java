package dev.handoff.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Messages for jobs or plans that have no actor, in order, until it is known what has become of
/// each: asked once, however many messages wait for the answer.
final class Waiting<K, M> {

  private final Map<K, List<M>> waiting = new HashMap<>();
  private final int room;

  /// @param room how many messages may wait for one of them
  Waiting(int room) {
    this.room = room;
  }

  /// From now on messages for it wait.
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

  /// The answer is there: what has waited for it.
  List<M> close(K id) {
    var messages = waiting.remove(id);
    return messages == null ? List.of() : messages;
  }
}
