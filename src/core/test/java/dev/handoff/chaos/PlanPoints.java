package dev.handoff.chaos;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Named points at which a service with plans is killed: before and after the commit of every kind
/// of fact, around the storing of contents, and at each kind of file operation.
final class PlanPoints {

  /// Occurrence of each fact: not always the first, so that other work is in progress.
  private static final List<String> FACTS =
      List.of(
          "plan-submitted:3",
          "plan-released:1",
          "plan-stop-requested:1",
          "plan-step-dropped:1",
          "plan-ended:2",
          "plan-reopened:1",
          "plan-recalled:1",
          "plan-filed:1",
          "changeset-started:3",
          "changes-recorded:4",
          "changeset-closed:2",
          "changeset-discarded:1",
          "conflict-resolved:1",
          "apply-started:2",
          "apply-written:1",
          "apply-undone:1",
          "submitted:2",
          "released:3",
          "claimed:4",
          "started:4",
          "succeeded:3",
          "retry-scheduled:1",
          "postponed:1",
          "failed:1",
          "stop-requested:1",
          "cancel-requested:1",
          "attempt-stopped:1",
          "cancelled:1",
          "reopened:1",
          "checkpointed:1",
          "noted:1",
          "child-added:1",
          "late-report:1");

  /// Facts with test runs of their own: see [PlanKillStressTest].
  static final Set<String> ELSEWHERE = Set.of("plan-step-lost", "returned");

  private static final List<String> CONTENTS = List.of("contents:2", "contents:5");

  /// Points of an apply in order. A recovery point follows the write point that leaves the work to
  /// recover.
  private static final List<String> FILES =
      List.of(
          "write:make .handoff-:1",
          "write:open .handoff-:1",
          "write:lock:1",
          "write:write n:1",
          "write:write n:3",
          "recover:delete n:2",
          "write:write journal:1",
          "write:move journal commit:1",
          "recover:move .handoff-:1",
          "write:sync:3",
          "recover:lock:1",
          "write:move old-:1",
          "write:move old-:2",
          "recover:move old-:1",
          "write:move old e:1",
          "write:move d:1",
          "write:move page-:1",
          "write:move n:1",
          "recover:move n:1",
          "recover:move n:2",
          "write:move n:2",
          "write:move n:3",
          "recover:sync:1",
          "write:move .handoff-:1",
          "write:names:2",
          "write:delete o:1",
          "recover:delete o:1",
          "write:delete o:2",
          "write:delete commit:1",
          "write:delete lock:1",
          "write:deleteDirectory .handoff-:1",
          "recover:deleteDirectory .handoff-:1");

  /// Points of an apply that creates its target directory.
  private static final List<String> NEW_DIRECTORIES =
      List.of(
          "write:make .handoff-:1",
          "write:make .handoff-:2",
          "write:move .handoff-:1",
          "write:write root:1",
          "write:move .handoff-:2",
          "recover:delete:1",
          "write:write n:2",
          "recover:move site:1",
          "recover:deleteDirectory .handoff-:1",
          "write:move n:2",
          "recover:move n:1");

  private PlanPoints() {}

  static List<String> commits() {
    return Stream.concat(FACTS.stream(), CONTENTS.stream())
        .flatMap(point -> Stream.of("halt=before:" + point, "halt=after:" + point))
        .toList();
  }

  static List<String> files() {
    return FILES.stream().map(point -> "apply=" + point).toList();
  }

  static List<String> newDirectories() {
    return NEW_DIRECTORIES.stream().map(point -> "apply=" + point).toList();
  }

  /// Stored names of the facts that have a point.
  static Set<String> facts() {
    return Stream.concat(FACTS.stream().map(point -> point.split(":")[0]), ELSEWHERE.stream())
        .collect(Collectors.toSet());
  }
}
