package dev.handoff.internal.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A process and all of its descendants.
public final class ProcessTree {

  private static final Duration AFTER_KILL = Duration.ofSeconds(2);
  private static final Duration LONGEST_SIGNAL = Duration.ofSeconds(1);

  /// Maximum number of searches. Each finds one more generation; where processes cannot be halted,
  /// the search might not end.
  private static final int MOST_LOOKS = 100;

  private ProcessTree() {}

  /// Terminates the whole tree: asks all processes to end, and kills the remaining ones after the
  /// time limit. An interrupt ends the wait, not the duty: the tree is killed at once, and the
  /// interrupt stays set.
  ///
  /// @return whether all processes have ended
  public static boolean stop(ProcessHandle root, Duration patience) {
    var members = halted(List.of(root));
    members.forEach(ProcessHandle::destroy);
    signal("CONT", members);
    if (ProcessExits.await(members, patience)) {
      return true;
    }
    var left = kill(members.stream().filter(ProcessHandle::isAlive).toList());
    boolean interrupted = Thread.interrupted();
    boolean gone = ProcessExits.await(left, AFTER_KILL);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return gone;
  }

  /// Kills a process and all of its descendants.
  public static void kill(ProcessHandle root) {
    kill(List.of(root));
  }

  /// Kills the youngest first: the system wakes a halted process when its parent is gone.
  ///
  /// @return all killed processes
  private static List<ProcessHandle> kill(List<ProcessHandle> roots) {
    try {
      var members = halted(roots).reversed();
      members.forEach(ProcessHandle::destroyForcibly);
      return members;
    } finally {
      // Kills the roots even if no thread is left for the search, so that none stays halted.
      roots.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /// Finds the descendants and halts them. Each process is halted before its children are listed: a
  /// running process could start another child between the list and its end, and that child would
  /// be lost.
  private static List<ProcessHandle> halted(List<ProcessHandle> roots) {
    var members = new LinkedHashSet<>(roots);
    var found = roots;
    for (int look = 0; look < MOST_LOOKS && !found.isEmpty(); look++) {
      signal("STOP", found);
      found = startedBy(members);
      members.addAll(found);
    }
    return List.copyOf(members);
  }

  /// Children that are not yet members. One scan of all processes is enough; the JDK's search for
  /// one parent's children scans all processes each time.
  private static List<ProcessHandle> startedBy(Set<ProcessHandle> members) {
    try {
      return ProcessHandle.allProcesses()
          .filter(process -> !members.contains(process))
          .filter(process -> process.parent().filter(members::contains).isPresent())
          .toList();
    } catch (RuntimeException unreadable) {
      return List.of();
    }
  }

  /// Sends a signal by a shell, because Java can only send signals that end a process. Without a
  /// shell, the processes run on until they are killed.
  private static void signal(String name, List<ProcessHandle> processes) {
    var command = new ArrayList<>(List.of("sh", "-c", "kill -$0 \"$@\"", name));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    boolean interrupted = Thread.interrupted();
    try {
      var sender =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      if (!sender.waitFor(LONGEST_SIGNAL.toMillis(), TimeUnit.MILLISECONDS)) {
        sender.destroyForcibly();
      }
    } catch (InterruptedException again) {
      interrupted = true;
    } catch (IOException notHere) {
      return;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
