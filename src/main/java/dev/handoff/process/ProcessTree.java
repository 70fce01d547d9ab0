package dev.handoff.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A program and everything that it has started.
public final class ProcessTree {

  private static final Duration AFTER_KILL = Duration.ofSeconds(2);
  private static final Duration LONGEST_SIGNAL = Duration.ofSeconds(1);

  /// Each finds one more generation; where nothing can be halted, it might never end.
  private static final int MOST_LOOKS = 100;

  private ProcessTree() {}

  /// Asks all of it to end, and kills what has not ended in time. An interrupt ends the patience,
  /// not the duty: it kills at once, and the caller stays interrupted.
  ///
  /// @return whether all of it is gone
  public static boolean stop(ProcessHandle root, Duration patience) {
    var members = halted(List.of(root));
    members.forEach(ProcessHandle::destroy);
    signal("CONT", members);
    if (Exits.await(members, patience)) {
      return true;
    }
    var left = kill(members.stream().filter(ProcessHandle::isAlive).toList());
    boolean interrupted = Thread.interrupted();
    boolean gone = Exits.await(left, AFTER_KILL);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return gone;
  }

  /// Kills a program, and everything that it has started.
  public static void kill(ProcessHandle root) {
    kill(List.of(root));
  }

  /// The youngest first: who is halted is woken by the system when its parent is gone.
  ///
  /// @return all that were killed
  private static List<ProcessHandle> kill(List<ProcessHandle> roots) {
    try {
      var members = halted(roots).reversed();
      members.forEach(ProcessHandle::destroyForcibly);
      return members;
    } finally {
      // Nothing stays halted if there is not even a thread left to find the others with.
      roots.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /// These with all that they have started. Each is halted before its children are listed: one that
  /// runs may start another between the list and its end, which nobody would find any more.
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

  /// Those that are none of them. All processes are looked at once, for asking each for its
  /// children looks at all of them each time.
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

  /// Java has no other signals than those that end. Where nobody else can send one, the processes
  /// run on until they are killed.
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
