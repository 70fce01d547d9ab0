package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.plan.apply.TriedDisk.Before;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An apply while somebody else is at work in its directory")
@EnabledOnOs(OS.LINUX)
class ApplyRaceTest {

  private static final String MINE = "somebody else's";

  @TempDir(factory = InMemory.class)
  Path directory;

  private ApplyScene scene;

  @BeforeEach
  void prepare() {
    scene = ApplyScene.of(directory, EditSample.ALL.getFirst());
  }

  private Path outside() {
    return directory.resolve("outside");
  }

  /// Outside directory in which every file to be written has its expected content.
  private Map<String, String> outsideAsInside(String swapped) {
    DirectoryTrees.delete(outside());
    DirectoryTrees.make(outside(), Map.of("secret.txt", "secret"));
    for (var file : scene.sample().before().entrySet()) {
      if (file.getKey().startsWith(swapped + "/")) {
        var inside = file.getKey().substring(swapped.length() + 1);
        DirectoryTrees.make(outside(), Map.of(inside, file.getValue()));
      }
    }
    return DirectoryTrees.of(outside());
  }

  private void swap(String swapped) throws IOException {
    var inside = scene.root().resolve(swapped);
    if (Files.isDirectory(inside, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(inside, scene.root().resolve("moved-away"));
      Files.createSymbolicLink(inside, outside());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs", "old/deep", "old", "new", "new/deep", ".handoff-plan-1"})
  void touchesNothingOutsideWhereADirectoryBecomesALink(String swapped) {
    Set<Class<?>> outcomes = new HashSet<>();
    for (int point = 1; ; point++) {
      scene.again();
      var outside = outsideAsInside(swapped);
      var disk = TriedDisk.of(Before.at(point, (number, what) -> swap(swapped)));

      var outcome = scene.sample().write(scene.root(), disk);
      if (disk.operations() < point) {
        break;
      }
      scene.recover();

      assertThat(DirectoryTrees.of(outside())).isEqualTo(outside);
      outcomes.add(outcome.getClass());
      assertNothingIsLost(outcome, Set.of());
    }

    assertThat(outcomes).hasSizeGreaterThan(1);
  }

  /// Counter-test with a disk that follows links.
  @Test
  void isSeenToTouchWhatIsOutsideWhereLinksAreFollowed() {
    var touched = new HashSet<Boolean>();
    for (int point = 1; ; point++) {
      scene.again();
      var outside = outsideAsInside("docs");
      var disk = new TriedDisk(new Trusting(), Before.at(point, (number, what) -> swap("docs")));

      scene.sample().write(scene.root(), disk);
      if (disk.operations() < point) {
        break;
      }

      touched.add(!DirectoryTrees.of(outside()).equals(outside));
    }

    assertThat(touched).contains(true);
  }

  /// Interference by another program with the target directory at any moment.
  enum Meddling {
    CHANGES("docs/index.html", MINE),
    REPLACES("readme.md", MINE),
    MAKES("docs/more.html", MINE),
    MAKES_A_DIRECTORY("new/deep/own.txt", MINE),
    FILLS_WHAT_BECOMES_EMPTY("old/deep/own.txt", MINE),
    FILLS_WHAT_IS_NEW("new/deep/first.txt", MINE),
    DELETES("docs/index.html", null),
    DELETES_A_NEW_ONE("new/deep/first.txt", null),
    DELETES_WHAT_IS_TO_BE_DELETED("old/deep/last.txt", null),
    REPLACES_BY_A_DIRECTORY("docs/index.html/own.txt", MINE);

    private final String path;
    private final @Nullable String content;

    Meddling(String path, @Nullable String content) {
      this.path = path;
      this.content = content;
    }

    /// @return content that the interference itself destroys
    String in(Path root) {
      try {
        var file = root.resolve(path);
        var place = this == REPLACES_BY_A_DIRECTORY ? file.getParent() : file;
        var destroyed = Files.isRegularFile(place) ? Files.readString(place) : "";
        if (this == REPLACES_BY_A_DIRECTORY) {
          Files.deleteIfExists(place);
        }
        Files.createDirectories(file.getParent());
        Files.deleteIfExists(file);
        if (content != null) {
          Files.writeString(file, content);
        }
        return destroyed;
      } catch (IOException failed) {
        throw new AssertionError(failed);
      }
    }

    /// Whether the interference hits the one window that no file system call can close: between the
    /// check that a place is empty and the rename to that place.
    boolean comesTooLateToBeSeen(String what) {
      return what.matches("move [not][0-9]+ " + Path.of(path).getFileName());
    }
  }

  @ParameterizedTest
  @EnumSource
  void losesNothingOfAnybody(Meddling meddling) {
    Set<Class<?>> outcomes = new HashSet<>();
    for (int point = 1; ; point++) {
      scene.again();
      var destroyed = new HashSet<String>();
      var disk =
          TriedDisk.of(
              Before.at(
                  point,
                  (number, what) -> {
                    if (!meddling.comesTooLateToBeSeen(what)) {
                      destroyed.add(meddling.in(scene.root()));
                    }
                  }));

      var outcome = scene.sample().write(scene.root(), disk);
      if (disk.operations() < point) {
        break;
      }
      scene.recover();

      outcomes.add(outcome.getClass());
      if (!destroyed.isEmpty()) {
        assertIsThere(meddling);
      }
      assertNothingIsLost(outcome, destroyed);
    }

    assertThat(outcomes).contains(ApplyResult.Written.class);
  }

  /// The process dies as well, so that only the recovery can undo the apply.
  @ParameterizedTest
  @EnumSource
  void losesNothingOfAnybodyWhereItsProcessDies(Meddling meddling) {
    for (int point = 1; ; point++) {
      scene.again();
      try {
        scene.sample().write(scene.root(), TriedDisk.dyingAt(point));
        break;
      } catch (TriedDisk.Died dead) {
        var destroyed = Set.of(meddling.in(scene.root()));

        var recovered = scene.recover();

        assertIsThere(meddling);
        assertThat(recovered.ending()).isNotEqualTo(RecoveryResult.Ending.UNFINISHED);
        if (recovered.ending() == RecoveryResult.Ending.UNDONE) {
          assertOriginalsAreThere(destroyed);
        }
      }
    }
  }

  @Test
  void waitsForNoPipeThatTakesThePlaceOfAFile() throws IOException {
    var file = scene.again().root().resolve("docs/index.html");
    var disk =
        TriedDisk.of(
            Before.first(
                "move index.html o0",
                (number, what) -> {
                  Files.delete(file);
                  new ProcessBuilder("mkfifo", file.toString()).start().onExit().join();
                }));

    var outcome = scene.sample().write(scene.root(), disk);

    assertThat(outcome).isInstanceOf(ApplyResult.Conflicted.class);
    assertThat(Files.readAttributes(file, BasicFileAttributes.class).isOther()).isTrue();
    Files.delete(file);
    Files.writeString(file, "old index");
    assertThat(scene.now()).isEqualTo(scene.before());
  }

  private void assertIsThere(Meddling meddling) {
    if (meddling.content != null) {
      assertThat(scene.root().resolve(meddling.path)).hasContent(MINE);
    }
  }

  private void assertNothingIsLost(ApplyResult outcome, Set<String> destroyed) {
    switch (outcome) {
      case ApplyResult.Written written -> {}
      case ApplyResult.Conflicted conflicted -> assertOriginalsAreThere(destroyed);
      case ApplyResult.Undone undone -> assertOriginalsAreThere(destroyed);
      case ApplyResult.Unfinished unfinished -> assertOriginalsAreThere(destroyed);
      case ApplyResult.Refused refused -> assertOriginalsAreThere(destroyed);
      case ApplyResult.Already already -> throw new AssertionError(already);
    }
  }

  /// Asserts that all original contents exist somewhere, except those destroyed by the
  /// interference.
  private void assertOriginalsAreThere(Set<String> destroyed) {
    var contents = List.copyOf(DirectoryTrees.of(scene.root()).values());
    for (var original : scene.sample().before().values()) {
      if (!destroyed.contains(original)) {
        assertThat(contents).as(original).anyMatch(shown -> shown.endsWith(" " + original));
      }
    }
  }

  /// Disk that follows links.
  private static final class Trusting implements FileOperations {
    @Override
    public Dir open(Path directory) throws IOException {
      if (Files.newDirectoryStream(directory) instanceof SecureDirectoryStream<Path> handle) {
        return new SecureDir(handle);
      }
      throw new NoHandlesException(directory);
    }

    @Override
    public void makeDirectory(Path directory, boolean secret) throws IOException {
      SecureDisk.INSTANCE.makeDirectory(directory, secret);
    }
  }
}
