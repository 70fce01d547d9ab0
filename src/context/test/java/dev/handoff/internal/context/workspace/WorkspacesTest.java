package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Embedder;
import dev.handoff.context.WorkspaceView;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.TestActors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.lucene.store.FSDirectory;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Workspaces")
class WorkspacesTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  @TempDir Path root;
  @TempDir Path data;

  private final TestProbe<Workspaces.Reply> caller = actors.probe(Workspaces.Reply.class);
  private final HandClock clock = new HandClock(Instant.parse("2030-01-01T00:00:00Z"));
  private final LinkedBlockingQueue<String> embedded = new LinkedBlockingQueue<>();
  private ActorRef<Workspaces.Command> workspaces;

  @AfterEach
  void stop() {
    if (workspaces != null) {
      actors.stop(workspaces);
    }
  }

  /// Embedder that records its texts, and runs an action before each answer.
  private record Watched(LinkedBlockingQueue<String> asked, Consumer<String> before)
      implements Embedder {
    @Override
    public String id() {
      return "watched";
    }

    @Override
    public int dimensions() {
      return 2;
    }

    @Override
    public float[] embed(String text) {
      asked.add(text);
      before.accept(text);
      return new float[] {1, 0};
    }
  }

  private void start(String settings, Optional<Path> beside, Consumer<String> before) {
    var embedder = new Watched(embedded, before);
    var environment =
        new Workspaces.Environment(IndexViews.settings(settings), embedder, beside, clock);
    workspaces = actors.spawn(Workspaces.create(environment));
  }

  private void start(String settings) {
    start(settings, Optional.of(data), text -> {});
  }

  private WorkspaceView open(Path directory) {
    workspaces.tell(new Workspaces.Open(directory, caller.ref()));
    return caller.expectMessageClass(Workspaces.Opened.class).view();
  }

  private String refused(Path directory) {
    workspaces.tell(new Workspaces.Open(directory, caller.ref()));
    return caller.expectMessageClass(Workspaces.Refused.class).reason();
  }

  private static void use(WorkspaceView view) {
    assertThat(view.search("time", 1)).hasSize(1);
  }

  @Test
  void giveAViewOfADirectory() {
    IndexViews.write(root, "a.txt", "once upon a time");
    start("");

    try (var view = open(root)) {
      assertThat(view.root()).isEqualTo(IndexViews.real(root));
      assertThat(view.paths()).containsExactly("a.txt");
      use(view);
    }
  }

  @Test
  void keepTheIndexBesideTheStoreAndNeverIndexThat() throws IOException {
    var store = Files.createDirectory(root.resolve("store"));
    IndexViews.write(root, "a.txt", "once upon a time");
    IndexViews.write(store, "b.txt", "the store's own");
    start("", Optional.of(store), text -> {});

    try (var view = open(root)) {
      assertThat(view.paths()).containsExactly("a.txt");
    }
    try (var made = Files.list(store.resolve("context"))) {
      assertThat(made).hasSize(1);
    }
  }

  @Test
  void keepTheIndexWhereTheSettingsSayOrInMemory() throws IOException {
    IndexViews.write(root, "a.txt", "once upon a time");
    var place = root.resolve("my-indexes");
    start("directory = \"" + place + "\"");
    open(root).close();
    assertThat(Files.exists(data.resolve("context"))).isFalse();
    try (var view = open(root)) {
      assertThat(view.paths()).containsExactly("a.txt");
    }
    actors.stop(workspaces);

    start("", Optional.empty(), text -> {});
    try (var view = open(root)) {
      use(view);
    }
  }

  @Test
  void refuseWhatIsNoDirectory() throws IOException {
    start("");
    var file = IndexViews.write(root, "a.txt", "text");

    assertThat(refused(root.resolve("missing")))
        .contains("missing\" cannot be read: it does not exist; name a directory that does");
    assertThat(refused(file)).contains("it is not a directory");
    Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    assertThat(refused(root.resolve("loop")))
        .contains("loop\" cannot be read: ")
        .contains("mend that")
        .doesNotContain("does not exist");
    assertThat(refused(Path.of("/proc/self/mem/x"))).contains("cannot be read");
  }

  @Test
  void lookAgainOnlyWhenWhatIsKnownIsOld() {
    IndexViews.write(root, "a.txt", "once upon a time");
    start("refresh-after = 2s");
    var first = open(root);
    IndexViews.write(root, "b.txt", "another time");

    clock.move(Duration.ofMillis(1_900));
    var same = open(root);
    clock.move(Duration.ofMillis(200));
    var newer = open(root);
    clock.move(Duration.ofHours(-1));
    IndexViews.write(root, "c.txt", "a third time");
    var back = open(root);

    assertThat(same.paths()).containsExactly("a.txt");
    assertThat(newer.paths()).containsExactly("a.txt", "b.txt");
    assertThat(back.paths()).as("a clock that was put back").hasSize(3);
    assertThat(first.paths()).containsExactly("a.txt");
    List.of(first, same, newer, back).forEach(WorkspacesTest::use);
    List.of(first, same, newer, back).forEach(WorkspaceView::close);
  }

  @Test
  void shareARefreshThatIsUnderWay() {
    var go = new CountDownLatch(1);
    IndexViews.write(root, "a.txt", "once upon a time");
    start("", Optional.empty(), text -> await(go));
    for (int number = 0; number < 20; number++) {
      workspaces.tell(new Workspaces.Open(root, caller.ref()));
    }
    BoundedWaits.take(embedded);
    go.countDown();

    var views = new ArrayList<WorkspaceView>();
    for (int number = 0; number < 20; number++) {
      views.add(caller.expectMessageClass(Workspaces.Opened.class).view());
    }

    assertThat(embedded)
        .as("passages that were embedded after its summary")
        .containsExactly("a.txt\nonce upon a time");
    views.forEach(view -> assertThat(view.paths()).hasSize(1));
    views.forEach(WorkspaceView::close);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Each view holds its own resources; closing a view twice does not affect another view.
  @Test
  void letEachViewGoByItself() {
    IndexViews.write(root, "a.txt", "once upon a time");
    start("refresh-after = 0s");
    var one = open(root);
    var other = open(root);

    one.close();
    one.close();
    one.close();
    IndexViews.write(root, "b.txt", "time again");
    var newer = open(root);
    newer.close();
    clock.move(Duration.ofSeconds(1));
    open(root).close();

    use(other);
    other.close();
  }

  @Test
  void closeTheOneThatWasNotAskedForLongest() throws IOException {
    var roots = new ArrayList<Path>();
    for (int number = 0; number < 3; number++) {
      var directory = Files.createDirectory(root.resolve("w" + number));
      IndexViews.write(directory, "a.txt", "time " + number);
      roots.add(directory);
    }
    start("open = 2");
    var kept = open(roots.get(0));
    open(roots.get(1)).close();

    try (var third = open(roots.get(2))) {
      use(third);
      use(kept);
      assertThat(refused(roots.get(1)))
          .contains("2 others are in use")
          .contains("handoff.context.workspace.open");
    }
    try (var again = open(roots.get(1))) {
      use(again);
      assertThat(again.notes()).as("its index was given back in between").isEmpty();
    }
    kept.close();
  }

  @Test
  void goOnInMemoryWhereAnIndexCannotBeWritten() throws IOException {
    IndexViews.write(root, "a.txt", "once upon a time");
    start("refresh-after = 0s");
    open(root).close();
    try (var made = Files.list(data.resolve("context"))) {
      Files.move(made.findFirst().orElseThrow(), data.resolve("gone"));
    }
    IndexViews.write(root, "b.txt", "another time");

    try (var view = open(root)) {
      assertThat(view.search("time", 9)).hasSize(2);
      assertThat(view.notes().getFirst())
          .startsWith("the index could not be written: java.nio.file.NoSuchFileException")
          .endsWith("it is in memory");
    }
    IndexViews.write(root, "c.txt", "a third time");
    try (var view = open(root)) {
      assertThat(view.search("time", 9)).hasSize(3);
    }
  }

  @Test
  void refuseWhatCannotBeIndexedAndTryAgain() throws IOException {
    IndexViews.write(root, "sub/a.txt", "once upon a time");
    var directory = root.resolve("sub");
    var moved = root.resolve("moved");
    start("refresh-after = 0s");
    var view = open(directory);
    refuseOnceItIsGone(directory, moved);

    use(view);
    view.close();
  }

  /// The root disappears between the check and the scan.
  private void refuseOnceItIsGone(Path directory, Path moved) throws IOException {
    var child = actors.spawn(Workspace.create(directory, environment(), view -> {}));
    Files.move(directory, moved);
    child.tell(new Workspace.Get(1, caller.ref()));
    assertThat(caller.expectMessageClass(Workspaces.Refused.class).reason())
        .contains("could not be indexed")
        .contains("NoSuchFile");
    Files.move(moved, directory);

    child.tell(new Workspace.Get(2, caller.ref()));
    try (var view = caller.expectMessageClass(Workspaces.Opened.class).view()) {
      use(view);
    }
    actors.stop(child);
  }

  private Workspaces.Environment environment() {
    return new Workspaces.Environment(
        IndexViews.settings("refresh-after = 0s"), new HashedEmbedder(), Optional.empty(), clock);
  }

  /// Whether the actor waits for its end; it has told the indexing threads to stop before.
  private static boolean waitsForItsEnd() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().equals(WorkspaceActor.class.getName())
                    && frame.getMethodName().equals("lastOf"));
  }

  @Test
  void giveTheIndexBackWhenTheyStopWhileOneIsBeingMade() throws IOException {
    var go = new CountDownLatch(1);
    for (int number = 0; number < 50; number++) {
      IndexViews.write(root, "f%d.txt".formatted(number), "time");
    }
    start("threads = 1", Optional.of(data), text -> await(go));
    workspaces.tell(new Workspaces.Open(root, caller.ref()));
    BoundedWaits.take(embedded);
    var stopping = Thread.ofVirtual().start(() -> actors.stop(workspaces));
    BoundedWaits.until(
        "the workspace waits for the end of what it does", WorkspacesTest::waitsForItsEnd);

    go.countDown();
    assertThat(
            BoundedWaits.get(
                CompletableFuture.runAsync(() -> join(stopping), Thread::startVirtualThread)))
        .isNull();

    assertThat(caller.expectMessageClass(Workspaces.Refused.class).reason())
        .contains("is being closed");
    assertThat(embedded).as("files after the stop").hasSizeLessThan(49);
    Path place;
    try (var made = Files.list(data.resolve("context"))) {
      place = made.findFirst().orElseThrow();
    }
    try (var directory = FSDirectory.open(place);
        var lock = directory.obtainLock("write.lock")) {
      lock.ensureValid();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void keepTheCommitsThatAViewHasRead() throws Exception {
    try (var git = Git.init().setDirectory(root.toFile()).call()) {
      IndexViews.write(root, "a.txt", "once upon a time");
      git.add().addFilepattern(".").call();
      git.commit()
          .setMessage("first")
          .setAuthor("a", "b")
          .setCommitter("a", "b")
          .setSign(false)
          .call();
    }
    start("");
    try (var view = open(root)) {
      assertThat(view.commits(9)).hasSize(1);
      assertThat(view.commits(9)).hasSize(1);
    }
    try (var view = (IndexView) open(root)) {
      assertThat(view.known().commits()).hasSize(1);
      assertThat(view.commits(9)).hasSize(1);
    }
  }

  @Test
  void areSafeToUseFromManyThreads() {
    for (int number = 0; number < 20; number++) {
      IndexViews.write(root, "f%d.txt".formatted(number), "time " + number);
    }
    start("refresh-after = 0s");
    var failures = new LinkedBlockingQueue<Throwable>();
    var done = new ArrayList<CompletableFuture<Void>>();
    for (int number = 0; number < 8; number++) {
      int reader = number;
      Runnable run = () -> readAndWrite(reader);
      done.add(CompletableFuture.runAsync(run, task -> Thread.ofPlatform().start(task)));
    }
    done.forEach(
        one ->
            one.exceptionally(
                failure -> {
                  failures.add(failure);
                  return null;
                }));
    done.forEach(one -> BoundedWaits.get(one.handle((ended, failure) -> true)));

    assertThat(failures).isEmpty();
    try (var view = open(root)) {
      assertThat(view.paths()).hasSize(28);
    }
  }

  private void readAndWrite(int reader) {
    var own = actors.probe(Workspaces.Reply.class);
    for (int round = 0; round < 15; round++) {
      IndexViews.write(root, "own%d.txt".formatted(reader), "time and round " + round);
      workspaces.tell(new Workspaces.Open(root, own.ref()));
      var view = own.expectMessageClass(Workspaces.Opened.class).view();
      assertThat(view.search("time", 40)).hasSizeGreaterThanOrEqualTo(20);
      assertThat(view.nearest("time", 40)).hasSizeGreaterThanOrEqualTo(20);
      view.paths().forEach(path -> assertThat(view.file(path)).isPresent());
      view.close();
    }
  }

  /// A strategy is interrupted at its time-out, and must not close files that others read.
  @Test
  void areNotHarmedByAThreadThatIsInterrupted() {
    IndexViews.write(root, "a.txt", "once upon a time");
    start("");
    try (var view = open(root)) {
      Thread.currentThread().interrupt();
      view.search("time", 1);
      view.nearest("time", 1);
      view.file("a.txt");
      view.commits(1);
      assertThat(Thread.interrupted()).isTrue();

      use(view);
      assertThat(view.file("a.txt")).isPresent();
    }
  }
}
