package dev.handoff.internal.plan.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.CombinedChanges;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.plan.ContentRef;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Base of tests that copy a directory, with or without a repository, and store contents.
abstract class CopyTest {

  static final JobId JOB = new JobId("01M7QA29F8201SE11P2AY4J500");
  static final CombinedChanges NONE = new CombinedChanges(List.of(), List.of(), Map.of());

  @TempDir Path temp;

  final CancellationSource stop = new CancellationSource();
  final Map<String, byte[]> stored = new HashMap<>();
  Path source;
  WorkingCopies copies;

  @BeforeEach
  void files() throws IOException {
    source = Files.createDirectories(temp.resolve("source")).toRealPath();
    copies = WorkingCopies.beside(temp.resolve("store"));
    write("a.txt", "a");
    write("sub/b.txt", "b");
  }

  void write(String name, String text) throws IOException {
    write(source, name, text);
  }

  static void write(Path root, String name, String text) throws IOException {
    var file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  String git(String... words) throws Exception {
    return gitIn(source, words);
  }

  /// Runs git and returns its output.
  static String gitIn(Path directory, String... words) throws Exception {
    var command = new ArrayList<>(List.of("git", "-c", "user.name=me", "-c", "user.email=me@x"));
    command.addAll(List.of(words));
    var builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    var process = builder.start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /// Opens a pipe for writing, once a reader has opened it.
  static OutputStream opened(Path pipe) {
    return BoundedWaits.get(
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.newOutputStream(pipe);
              } catch (IOException failed) {
                throw new UncheckedIOException(failed);
              }
            },
            Thread.ofPlatform().daemon()::start));
  }

  void commit() throws Exception {
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
  }

  CapturedCopy make(@Nullable Path directory) throws InterruptedException {
    return make(directory, NONE);
  }

  CapturedCopy make(@Nullable Path directory, CombinedChanges net) throws InterruptedException {
    return make(new CapturedCopy.Wanted(directory, false, CaptureLimits.USUAL), net);
  }

  CapturedCopy make(CapturedCopy.Wanted wanted, CombinedChanges net) throws InterruptedException {
    var owner = new CapturedCopy.Owner(JOB, 1, stop.token());
    return CapturedCopy.make(copies, wanted, owner, net, new Stored());
  }

  final class Stored implements ContentReader {
    @Override
    public Map<String, byte[]> read(Collection<String> sha256s) {
      var found = new HashMap<>(stored);
      found.keySet().retainAll(sha256s);
      return found;
    }

    @Override
    public byte @Nullable [] asStored(String sha256) {
      return stored.get(sha256);
    }
  }

  ContentRef store(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    stored.put(ChainHash.of(bytes), bytes);
    return new ContentRef(ChainHash.of(bytes), bytes.length);
  }

  static String sha(String text) {
    return ChainHash.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /// All files below a directory.
  static List<String> names(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .filter(name -> !name.equals(".git"))
          .sorted()
          .toList();
    }
  }

  static List<String> names(Path root, String without) throws IOException {
    return names(root).stream().filter(name -> !name.startsWith(without)).toList();
  }

  List<String> left() throws IOException {
    try (Stream<Path> all = Files.list(copies.directory())) {
      return all.map(copy -> copy.getFileName().toString()).toList();
    }
  }
}
