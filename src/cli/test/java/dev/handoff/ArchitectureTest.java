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
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
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

/// Allowed imports between packages of all modules, by whole names.
///
/// Exported packages are the edge: they have the types that users name, and know each other.
/// Inside, a package imports packages of the columns to its right, never of a column to its left,
/// and never a neighbour in its own column:
///
/// ```
/// cli, handlers → context → context.assembly, context.strategy → context.workspace
///   → facade.start → facade.plan → facade.attempt → facade → engine
///   → plan.apply, plan.capture → plan → plan.change
///   → dispatch.pool → dispatch.worker → dispatch, spi → dispatch.ready → breaker → job
///   → ledger, process
///   → store.open → store.memory, store.postgres, store.sqlite → store → ask → actor → text, git
/// ```
@DisplayName("The product")
class ArchitectureTest {
  private static final String ROOT = "(root)";

  /// Module of all packages that no other module has.
  private static final String ENGINE = "core";

  /// Packages of public types.
  private static final Set<String> EXPORTED =
      Set.of(ROOT, "breaker", "cancel", "context", "json", "plan");

  /// Internal packages and other modules from left to right.
  private static final List<Set<String>> COLUMNS =
      List.of(
          Set.of("cli", "handlers"),
          Set.of("internal.context"),
          Set.of("internal.context.assembly", "internal.context.strategy"),
          Set.of("internal.context.workspace"),
          Set.of("internal.facade.start"),
          Set.of("internal.facade.plan"),
          Set.of("internal.facade.attempt"),
          Set.of("internal.facade"),
          Set.of("internal.engine"),
          Set.of("internal.plan.apply", "internal.plan.capture"),
          Set.of("internal.plan"),
          Set.of("internal.plan.change"),
          Set.of("internal.dispatch.pool"),
          Set.of("internal.dispatch.worker"),
          Set.of("internal.dispatch", "internal.spi"),
          Set.of("internal.dispatch.ready"),
          Set.of("internal.breaker"),
          Set.of("internal.job"),
          Set.of("internal.ledger", "internal.process"),
          Set.of("internal.store.open"),
          Set.of("internal.store.memory", "internal.store.postgres", "internal.store.sqlite"),
          Set.of("internal.store"),
          Set.of("internal.ask"),
          Set.of("internal.actor"),
          Set.of("internal.text", "internal.git"));

  /// Exceptions: allowed imports within a column.
  private static final Map<String, Set<String>> NEIGHBOURS = Map.of("cli", Set.of("handlers"));

  /// Other modules of this build, with their packages.
  private static final Map<String, Set<String>> MODULES =
      Map.of(
          "cli", Set.of("cli", "handlers"),
          "context",
              Set.of(
                  "internal.context",
                  "internal.context.assembly",
                  "internal.context.strategy",
                  "internal.context.workspace"));

  /// Internal types of the engine that another module may import; for the module of contexts also
  /// those of `internal.spi`.
  private static final Map<String, Set<String>> FOR_MODULES =
      Map.of(
          "cli",
              Set.of(
                  "BoundedWait",
                  "CallbackThreads",
                  "CancellableWait",
                  "DirectoryRemoval",
                  "Durations",
                  "NameRule",
                  "ProcessExits",
                  "ProcessTree",
                  "SafeText",
                  "StageFailures",
                  "ThreadPause"),
          "context",
              Set.of(
                  "AnswerStage",
                  "CallOutcome",
                  "CallbackThreads",
                  "Durations",
                  "FatalErrorGuard",
                  "GitPlace",
                  "GuardedCalls",
                  "IgnoreProblems",
                  "IgnoreRules",
                  "PekkoStages",
                  "SafeText",
                  "StageFailures"));

  /// Doors of the edge: exported types, each with the internal types that stand behind it.
  private static final Map<String, Set<String>> DOORS =
      Map.of(
          "Handoff", Set.of("EngineBuilder"),
          "HandoffReader", Set.of("StoreReader"),
          "JobRequestJson", Set.of("JobRequestReader"),
          "Outcome", Set.of("JsonFormat"),
          "PlanFile", Set.of("PlanFileReader"),
          "CancellationToken", Set.of("AnswerStage", "CallbackThreads"));

  /// Exported types for the facade only: the machinery knows values, not handles.
  private static final Set<String> HANDLES =
      Set.of(
          "BreakerCommands",
          "CancelHandle",
          "Handoff",
          "HandoffBuilder",
          "HandoffReader",
          "JobContext",
          "JobHandle",
          "JobHandler",
          "PlanCancelHandle",
          "PlanCommands",
          "PlanHandle",
          "QueueCommands");

  /// Packages whose classes run on actors' threads.
  private static final Set<String> ACTORS =
      Set.of(
          "internal.engine",
          "internal.plan",
          "internal.dispatch",
          "internal.context",
          "internal.breaker",
          "internal.job",
          "internal.ledger",
          "internal.actor",
          "breaker",
          "cancel",
          "context",
          "json",
          "plan");

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("dev.handoff");

  @Test
  void importsOnlyFromLeftToRight() {
    List<String> wrong = new ArrayList<>();
    for (JavaClass origin : PRODUCT) {
      for (var dependency : origin.getDirectDependenciesFromSelf()) {
        var target = dependency.getTargetClass();
        if (isOurs(target) && !mayImport(origin, target)) {
          wrong.add(
              "%s may not import %s: %s"
                  .formatted(packageOf(origin), packageOf(target), dependency.getDescription()));
        }
      }
    }

    assertThat(wrong).isEmpty();
  }

  /// Java's modules refuse a package that two of them have.
  @Test
  void hasEachPackageInOneModule() {
    var places = new TreeMap<String, Set<String>>();
    for (JavaClass type : PRODUCT) {
      var file = type.getSource().orElseThrow().getUri().toString();
      var place = file.substring(0, file.lastIndexOf(type.getPackageName().replace('.', '/')));
      places.computeIfAbsent(packageOf(type), first -> new TreeSet<>()).add(place);
    }

    assertThat(places.values()).allMatch(modules -> modules.size() == 1);
    assertThat(places.values().stream().flatMap(Set::stream).distinct()).hasSize(3);
  }

  @Test
  void hasNoPackageWithoutAPlace() {
    var known = new TreeSet<>(EXPORTED);
    COLUMNS.forEach(known::addAll);
    var unknown = new TreeMap<String, String>();
    PRODUCT.forEach(type -> unknown.putIfAbsent(packageOf(type), type.getName()));
    unknown.keySet().removeAll(known);

    assertThat(unknown).as("packages to be given a column in this test").isEmpty();
  }

  /// What users can name does not lead inside.
  @Test
  void showsNothingInternalAtItsEdge() {
    var shown =
        PRODUCT.stream()
            .filter(type -> EXPORTED.contains(packageOf(type)) && isPublic(type))
            .flatMap(type -> type.getCodeUnits().stream())
            .filter(code -> isOpen(code.getModifiers()))
            .filter(code -> !code.getModifiers().contains(JavaModifier.SYNTHETIC))
            .filter(
                code ->
                    Stream.concat(
                            Stream.of(code.getRawReturnType()),
                            code.getRawParameterTypes().stream())
                        .anyMatch(
                            type -> packageOf(type.getBaseComponentType()).startsWith("internal")))
            .map(JavaCodeUnit::getFullName);

    assertThat(shown).isEmpty();
  }

  private static boolean isPublic(JavaClass type) {
    return isOpen(type.getModifiers())
        && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  @Test
  void neverSleeps() {
    check(noClasses().should().callMethod(Thread.class, "sleep", long.class));
    check(noClasses().should().callMethod(Thread.class, "sleep", long.class, int.class));
    check(noClasses().should().callMethod(Thread.class, "sleep", java.time.Duration.class));
  }

  /// A timer of the JDK runs on a thread that never ends: one of the common pool, or another daemon
  /// thread of older JDKs. Actors have timers, steps of the engine `ActorQuestions.pause`, and
  /// threads that may block `ThreadPause`.
  @Test
  void startsNoTimerOfCompletableFuture() {
    var timers = Set.of("orTimeout", "completeOnTimeout", "delayedExecutor");
    var found =
        PRODUCT.stream()
            .flatMap(type -> type.getCodeUnitAccessesFromSelf().stream())
            .filter(access -> access.getTarget().getOwner().isAssignableTo(CompletionStage.class))
            .filter(access -> timers.contains(access.getName()))
            .map(access -> access.getDescription());

    assertThat(found).isEmpty();
  }

  /// The host's code can block the common pool, which has a single thread on a machine with two
  /// processors. The engine must work nevertheless.
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

  /// Stages of Pekko are Scala futures: dependent stages run in the common pool.
  @Test
  void letsNothingFollowFromStagesOfPekko() {
    var ends =
        Set.of(
            "EngineStarter",
            "EngineShutdown",
            "PekkoStages",
            "Assembly",
            "ParallelExecutor",
            "Call");
    var found =
        PRODUCT.stream()
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(call -> givesAStageOfPekko(call.getTarget()))
            .filter(call -> !ends.contains(call.getOriginOwner().getSimpleName()))
            .map(call -> call.getDescription())
            .toList();

    assertThat(found).isEmpty();
  }

  /// Streams are run only by classes that convert the result at once.
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
        && called.getName().endsWith("Async")
        && called.getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(Executor.class));
  }

  /// Classes at the edge convert the engine's stages to users' stages. Engine code that depends on
  /// such a stage would wait behind users' callbacks, all of which can block.
  @Test
  void givesStagesOfUsersOnlyAtItsEdge() {
    var edge =
        Set.of(
            "EngineHandoff",
            "EngineJobHandle",
            "JobCalls",
            "JobSubmissions",
            "JobWatch",
            "EngineCalls",
            "EnginePlanHandle",
            "EnginePlans",
            "EngineQueues",
            "EngineBreakers",
            "Context",
            "NoticedAnswer",
            "CancellationToken",
            "Call");
    var found =
        PRODUCT.stream()
            .filter(
                type ->
                    !packageOf(type).equals("internal.ask") && !edge.contains(type.getSimpleName()))
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(dependency -> dependency.getTargetClass().getSimpleName().equals("AnswerStage"))
            .map(dependency -> dependency.getDescription());

    assertThat(found).isEmpty();
  }

  /// Callback threads run stages and cancel listeners of users, and the end of a guarded call,
  /// which cancels a user's stage.
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

  /// An uncaught `Error` in an actor makes the engine unresponsive. Workers run inside
  /// [dev.handoff.internal.dispatch.worker.TranslatingBehavior], which is guarded; jobs catch
  /// errors themselves.
  @Test
  void guardsItsActorsAgainstErrors() {
    var within = Set.of("FatalErrorGuard", "Worker");
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

  /// `synchronized` blocks leave no modifier in class files, so the sources are read.
  @Test
  void hasNoSynchronizedBlocks() throws IOException {
    var block = Pattern.compile("[^/*\"]*\\bsynchronized\\s*\\(.*");
    List<String> found = new ArrayList<>();

    for (Path file : sources()) {
      Files.readAllLines(file).stream()
          .filter(line -> block.matcher(line).matches())
          .forEach(line -> found.add(file + ": " + line.strip()));
    }

    assertThat(found).isEmpty();
  }

  /// Sources of all modules.
  private static List<Path> sources() throws IOException {
    var main = Path.of("main", "java");
    try (Stream<Path> files = Files.walk(Path.of("src"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.subpath(2, 4).equals(main))
          .toList();
    }
  }

  /// Exempt classes block only other threads: handlers and external readers of a store use their
  /// own threads, workspaces a blocking dispatcher. Contents are read on the reader's thread, and
  /// working copies are created on a handler's thread.
  @Test
  void waitsForNothingOnAnActorsThread() {
    var waiting =
        Set.of(
            "join",
            "get",
            "await",
            "awaitAll",
            "take",
            "acquire",
            "park",
            "parkNanos",
            "invokeAll");
    var own =
        Set.of(
            "ChildWaits",
            "LedgerReader",
            "CancellationToken",
            "CancellationSource",
            "WorkspaceActor",
            "StoreContents",
            "WorkTrees");
    List<String> wrong = new ArrayList<>();
    for (JavaClass type : PRODUCT) {
      if (runsOnActors(type) && !own.contains(type.getSimpleName())) {
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
        || type.isAssignableTo(BlockingQueue.class)
        || type.getSimpleName().equals("ThreadPause");
  }

  /// Only attempts share state: handlers report from any thread, and the call of a handler is
  /// decided between its thread and the worker.
  @Test
  void sharesNoMutableStateBetweenActors() {
    var handlers =
        Set.of(
            "HandlerAttempt", "CheckpointWriter", "OneTimeCall", "RecentLogLines", "MemoryReserve");
    var shared =
        PRODUCT.stream()
            .filter(type -> runsOnActors(type))
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

  private static boolean runsOnActors(JavaClass type) {
    var name = packageOf(type);
    return ACTORS.stream().anyMatch(actors -> name.equals(actors) || name.startsWith(actors + "."));
  }

  private static boolean mayImport(JavaClass origin, JavaClass target) {
    var from = packageOf(origin);
    var to = packageOf(target);
    var name = topLevelName(target);
    if (EXPORTED.contains(to)) {
      return !HANDLES.contains(name) || !isMachinery(from);
    }
    if (EXPORTED.contains(from)) {
      return to.equals("internal.text")
          || DOORS.getOrDefault(topLevelName(origin), Set.of()).contains(name);
    }
    var module = module(from);
    if (!module.equals(ENGINE) && !module.equals(module(to))) {
      return module(to).equals(ENGINE)
          && (module.equals("context") && to.equals("internal.spi")
              || FOR_MODULES.get(module).contains(name));
    }
    return mayImport(from, to);
  }

  private static String module(String name) {
    return MODULES.entrySet().stream()
        .filter(module -> module.getValue().contains(name))
        .findFirst()
        .map(Map.Entry::getKey)
        .orElse(ENGINE);
  }

  private static boolean isMachinery(String name) {
    return name.startsWith("internal.") && !name.startsWith("internal.facade");
  }

  private static boolean mayImport(String from, String to) {
    return from.equals(to)
        || column(from) < column(to)
        || NEIGHBOURS.getOrDefault(from, Set.of()).contains(to);
  }

  /// Column of a package. Unknown packages are beyond the last column: they may import nothing.
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

  private static String topLevelName(JavaClass type) {
    var name = type.getName();
    return name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
  }

  /// Package of a type without `dev.handoff`.
  private static String packageOf(JavaClass type) {
    var name = type.getPackageName();
    if (!isOurs(type)) {
      return name;
    }
    return name.equals("dev.handoff") ? ROOT : name.substring("dev.handoff.".length());
  }
}
