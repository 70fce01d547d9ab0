package dev.handoff.handlers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// A program and everything that it has started.
final class ProcessTree {

  private static final Duration AFTER_KILL = Duration.ofSeconds(2);

  private ProcessTree() {}

  /// Asks all of it to end, and kills what has not ended in time. The members are listed before the
  /// first signal: whose parent is gone can no longer be found.
  ///
  /// @return whether all of it is gone
  static boolean stop(ProcessHandle root, Duration patience) {
    var members = membersOf(root).toList();
    members.forEach(ProcessHandle::destroy);
    if (ended(members, patience)) {
      return true;
    }
    var left =
        members.stream()
            .filter(ProcessHandle::isAlive)
            .flatMap(ProcessTree::membersOf)
            .distinct()
            .toList();
    left.forEach(ProcessHandle::destroyForcibly);
    boolean interrupted = Thread.interrupted();
    boolean gone = ended(left, AFTER_KILL);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return gone;
  }

  private static Stream<ProcessHandle> membersOf(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants());
  }

  /// An interrupt ends the patience, not the duty: the caller kills at once, and stays interrupted.
  private static boolean ended(List<ProcessHandle> members, Duration patience) {
    var exits = members.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(exits).get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException late) {
      return members.stream().noneMatch(ProcessHandle::isAlive);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
      return members.stream().noneMatch(ProcessHandle::isAlive);
    }
  }
}
