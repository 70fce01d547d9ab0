package dev.handoff;

import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Which package may import which. A package imports those to its right, never one to its left and
/// never a neighbour of its own column:
///
/// ```
/// http, cli, handlers, testkit → (root) → engine → cluster, plan → context, dispatch
///   → job → ledger, cancel, process → store, actor, ask
/// ```
@DisplayName("The product")
class ArchitectureTest {
  private static final String ROOT = "(root)";

  /// From left to right; the packages of a column stand beside each other.
  private static final List<Set<String>> COLUMNS =
      List.of(
          Set.of("http", "cli", "handlers", "testkit"),
          Set.of(ROOT),
          Set.of("engine"),
          Set.of("cluster", "plan"),
          Set.of("context", "dispatch"),
          Set.of("job"),
          Set.of("ledger", "cancel", "process"),
          Set.of("store", "actor", "ask"));

  /// What a package may import of its own column.
  private static final Map<String, Set<String>> NEIGHBOURS =
      Map.of("cli", Set.of("handlers"), "ask", Set.of("actor"));

  /// The packages whose classes run on actors' threads.
  private static final Set<String> ACTORS =
      Set.of("engine", "plan", "dispatch", "context", "job", "ledger", "cancel", "actor");

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.handoff");

  @Test
  void importsOnlyFromLeftToRight() {
    List<String> wrong = new ArrayList<>();
    for (JavaClass origin : PRODUCT) {
      for (var dependency : origin.getDirectDependenciesFromSelf()) {
        var target = dependency.getTargetClass();
        if (isOurs(target) && !mayImport(packageOf(origin), packageOf(target))) {
          wrong.add(
              "%s may not import %s: %s"
                  .formatted(packageOf(origin), packageOf(target), dependency.getDescription()));
        }
      }
    }

    assertThat(wrong).isEmpty();
  }

  @Test
  void hasNoPackageWithoutAPlace() {
    var known = new TreeSet<String>();
    COLUMNS.forEach(known::addAll);
    var unknown = new TreeMap<String, String>();
    PRODUCT.forEach(type -> unknown.putIfAbsent(packageOf(type), type.getName()));
    unknown.keySet().removeAll(known);

    assertThat(unknown).as("packages to be given a column in this test").isEmpty();
  }

  @Test
  void neverSleeps() {
    check(noClasses().should().callMethod(Thread.class, "sleep", long.class));
    check(noClasses().should().callMethod(Thread.class, "sleep", long.class, int.class));
    check(noClasses().should().callMethod(Thread.class, "sleep", java.time.Duration.class));
  }

  /// Whoever blocks a thread of that pool holds up everything that waits for one, and a machine
  /// with two processors has one: what is ours would never go on in a host that does so.
  @Test
  void takesNoThreadOfThePoolThatAWholeJvmShares() {
    var found =
        PRODUCT.stream()
            .flatMap(type -> type.getCodeUnitAccessesFromSelf().stream())
            .filter(access -> takesASharedThread(access.getTarget()))
            .map(access -> access.getDescription())
            .toList();

    assertThat(found).isEmpty();
  }

  /// Stages that Pekko gives are Scala's: what follows from them runs in that pool.
  @Test
  void letsNothingFollowFromStagesOfPekko() {
    var ends = Set.of("Starter", "Closing", "PekkoStages", "Assembly", "ParallelExecutor", "Call");
    var found =
        PRODUCT.stream()
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(call -> givesAStageOfPekko(call.getTarget()))
            .filter(call -> !ends.contains(call.getOriginOwner().getSimpleName()))
            .map(call -> call.getDescription())
            .toList();

    assertThat(found).isEmpty();
  }

  /// Streams are run by those that make the result theirs at once.
  private static boolean givesAStageOfPekko(CodeUnitAccessTarget called) {
    var owner = called.getOwner();
    return owner.getPackageName().equals("org.apache.pekko.pattern")
        || owner.getSimpleName().equals("AskPattern")
        || owner.getSimpleName().equals("ActorContext") && called.getName().startsWith("ask")
        || owner.getSimpleName().equals("ActorSystem")
            && called.getName().equals("getWhenTerminated")
        || owner.getPackageName().equals("org.apache.pekko.stream.javadsl")
            && Set.of("run", "runWith", "runForeach", "runFold").contains(called.getName())
        || owner.getPackageName().startsWith("java.util")
            && called.getName().startsWith("parallel")
            && called.getRawParameterTypes().isEmpty();
  }

  private static boolean takesASharedThread(CodeUnitAccessTarget called) {
    var owner = called.getOwner();
    if (owner.isAssignableTo(Process.class) || owner.isAssignableTo(ProcessHandle.class)) {
      return called.getName().equals("onExit");
    }
    return owner.isAssignableTo(CompletionStage.class)
        && (called.getName().endsWith("Async") || called.getName().equals("delayedExecutor"))
        && called.getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(Executor.class));
  }

  /// Where a stage becomes a user's. What the engine lets follow from one of those would wait for
  /// callbacks of users, all of which may block.
  @Test
  void givesStagesOfUsersOnlyAtItsEdge() {
    var edge =
        Set.of(
            "Handoff",
            "JobHandle",
            "JobCalls",
            "Submissions",
            "Watch",
            "Calls",
            "PlanHandle",
            "PlanDesk",
            "QueueDesk",
            "BreakerDesk",
            "Context",
            "NoticedAnswer",
            "CancellationToken",
            "Call");
    var found =
        PRODUCT.stream()
            .filter(type -> !packageOf(type).equals("ask") && !edge.contains(type.getSimpleName()))
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(dependency -> dependency.getTargetClass().getSimpleName().equals("AnswerStage"))
            .map(dependency -> dependency.getDescription());

    assertThat(found).isEmpty();
  }

  /// The threads of users' callbacks are taken by stages and cancels of users, and by the end of a
  /// guarded call, which cancels a stage that its user has given.
  @Test
  void runsNothingOfItsOwnAmongCallbacksOfUsers() {
    var found =
        PRODUCT.stream()
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(call -> isForCallbacks(call.getTarget()))
            .map(call -> call.getOriginOwner().getSimpleName());

    assertThat(found)
        .containsOnly("AnswerStage", "CancellationToken", "GuardedCall", "ParallelExecutor");
  }

  private static boolean isForCallbacks(CodeUnitAccessTarget called) {
    return switch (called.getOwner().getSimpleName()) {
      case "CallbackThreads" -> called.getName().equals("callbacks");
      case "CancellationToken" ->
          called.getName().equals("onCancel")
              || called.getName().equals("onCancelUntil")
                  && called.getRawParameterTypes().size() == 2;
      default -> false;
    };
  }

  /// An `Error` that gets out of an actor leaves the engine deaf. A dispatcher and a worker are
  /// within [dev.handoff.dispatch.Open], which is guarded; jobs catch errors themselves.
  @Test
  void guardsItsActorsAgainstErrors() {
    var within = Set.of("FatalErrorGuard", "Dispatcher", "Worker");
    var unguarded =
        PRODUCT.stream()
            .filter(type -> !within.contains(type.getSimpleName()))
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(call -> call.getTargetOwner().isEquivalentTo(Behaviors.class))
            .filter(call -> call.getName().equals("setup"))
            .map(call -> call.getDescription());

    assertThat(unguarded).isEmpty();
  }

  @Test
  void hasNoLocks() {
    check(noMethods().should().haveModifier(SYNCHRONIZED));
    check(noClasses().should().dependOnClassesThat(are(locks())));
    check(noClasses().should().callMethod(Object.class, "wait"));
    check(noClasses().should().callMethod(Object.class, "notify"));
    check(noClasses().should().callMethod(Object.class, "notifyAll"));
  }

  /// A block leaves no modifier behind, so the sources are read.
  @Test
  void hasNoSynchronizedBlocks() throws IOException {
    var block = Pattern.compile("[^/*\"]*\\bsynchronized\\s*\\(.*");
    List<String> found = new ArrayList<>();

    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        Files.readAllLines(file).stream()
            .filter(line -> block.matcher(line).matches())
            .forEach(line -> found.add(file + ": " + line.strip()));
      }
    }

    assertThat(found).isEmpty();
  }

  /// Handlers and whoever looks into a store from outside have threads of their own to wait on, and
  /// workspaces a dispatcher that may be blocked. Whoever reads contents brings such a thread, and
  /// whoever makes a working copy is a handler.
  @Test
  void waitsForNothingOnAnActorsThread() {
    var waiting =
        Set.of("join", "get", "await", "take", "acquire", "park", "parkNanos", "invokeAll");
    var own =
        Set.of(
            "Waits",
            "LedgerReader",
            "CancellationToken",
            "CancellationSource",
            "WorkspaceActor",
            "StoreContents",
            "WorkTrees");
    List<String> wrong = new ArrayList<>();
    for (JavaClass type : PRODUCT) {
      if (ACTORS.contains(packageOf(type)) && !own.contains(type.getSimpleName())) {
        type.getMethodCallsFromSelf().stream()
            .filter(call -> waiting.contains(call.getName()))
            .filter(call -> waits(call.getTargetOwner()))
            .forEach(call -> wrong.add(call.getDescription()));
      }
    }

    assertThat(wrong).isEmpty();
  }

  private static boolean waits(JavaClass type) {
    return type.isAssignableTo(Future.class)
        || type.isAssignableTo(Thread.class)
        || type.isAssignableTo(CountDownLatch.class)
        || type.isAssignableTo(Semaphore.class)
        || type.isAssignableTo(BlockingQueue.class);
  }

  /// What a handler says of its attempt comes from any thread, and whether it is called at all is
  /// between its thread and the worker; nothing else is shared.
  @Test
  void sharesNoMutableStateBetweenActors() {
    var handlers = Set.of("Attempt", "CheckpointLine", "HandlerCall", "LineRing", "MemoryReserve");
    var shared =
        PRODUCT.stream()
            .filter(type -> ACTORS.contains(packageOf(type)))
            .filter(type -> !handlers.contains(type.getSimpleName()))
            .flatMap(type -> type.getFields().stream())
            .filter(
                field ->
                    field.getModifiers().contains(JavaModifier.VOLATILE)
                        || field.getRawType().getPackageName().endsWith(".concurrent.atomic")
                        || isMutableForAll(field))
            .map(JavaField::getFullName);

    assertThat(shared).isEmpty();
  }

  private static boolean isMutableForAll(JavaField field) {
    return field.getModifiers().contains(JavaModifier.STATIC)
        && !field.getModifiers().contains(JavaModifier.FINAL);
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(PRODUCT);
  }

  private static DescribedPredicate<JavaClass> locks() {
    return DescribedPredicate.describe(
        "locks", type -> type.getPackageName().equals("java.util.concurrent.locks"));
  }

  private static boolean mayImport(String from, String to) {
    return from.equals(to)
        || column(from) < column(to)
        || NEIGHBOURS.getOrDefault(from, Set.of()).contains(to);
  }

  /// A package without a place is beyond all others: it may import nothing.
  private static int column(String name) {
    for (int column = 0; column < COLUMNS.size(); column++) {
      if (COLUMNS.get(column).contains(name)) {
        return column;
      }
    }
    return COLUMNS.size();
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().equals("dev.handoff")
        || type.getPackageName().startsWith("dev.handoff.");
  }

  private static String packageOf(JavaClass type) {
    var name = type.getPackageName();
    return name.equals("dev.handoff") ? ROOT : name.split("\\.")[2];
  }
}
