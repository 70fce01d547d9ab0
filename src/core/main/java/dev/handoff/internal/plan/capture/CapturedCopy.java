package dev.handoff.internal.plan.capture;

import dev.handoff.JobId;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.git.GitIgnoreRules;
import dev.handoff.internal.plan.change.ChangePath;
import dev.handoff.internal.plan.change.CombinedChange;
import dev.handoff.internal.plan.change.CombinedChanges;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.plan.CaptureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Working copy of one attempt: a copy of a directory, with the changes of earlier steps. Not
/// thread-safe.
public final class CapturedCopy implements AutoCloseable {

  /// Request for a working copy.
  ///
  /// @param directory directory to copy; null = an empty working copy
  /// @param keep whether the working copy stays after the attempt
  public record Wanted(@Nullable Path directory, boolean keep, CaptureLimits limits) {}

  /// Attempt that owns a working copy.
  public record Owner(JobId job, int attempt, CancellationToken stop) {}

  /// File that differs from its state at the start.
  ///
  /// @param before hash at the start; null = no file
  /// @param after current hash; null = deleted
  public record Altered(String path, @Nullable String before, @Nullable String after) {}

  private final Wanted wanted;
  private final Owner owner;
  private final CopySource origin;
  private final Path copy;
  private final ContentReader contents;
  private Path place;
  private Map<String, CombinedChange> earlier = new HashMap<>();
  private SortedMap<String, FileStamp> start = new TreeMap<>();
  private List<String> leftOut = List.of();

  private CapturedCopy(
      Wanted wanted, Owner owner, CopySource origin, Path copy, ContentReader contents) {
    this.wanted = wanted;
    this.owner = owner;
    this.origin = origin;
    this.copy = copy;
    this.contents = contents;
    this.place = copy;
  }

  /// Makes a working copy. Blocks.
  ///
  /// @param net combined changes of the earlier steps
  /// @param stored contents of the store
  /// @throws CaptureException if the working copy cannot be made; nothing of it is left
  /// @throws dev.handoff.cancel.CancelledException if the attempt is cancelled meanwhile
  public static CapturedCopy make(
      WorkingCopies copies, Wanted wanted, Owner owner, CombinedChanges net, ContentReader stored)
      throws InterruptedException {
    try {
      var origin = origin(copies, wanted, owner.stop());
      var path = copies.next(owner.job(), owner.attempt(), wanted.keep());
      var made = new CapturedCopy(wanted, owner, origin, path, net.over(stored));
      return made.fill(net);
    } catch (IOException failure) {
      throw failed(wanted, failure);
    }
  }

  private static CopySource origin(WorkingCopies copies, Wanted wanted, CancellationToken stop)
      throws IOException, InterruptedException {
    if (wanted.directory() == null) {
      return CopySource.Nothing.INSTANCE;
    }
    if (!Files.isDirectory(wanted.directory())) {
      throw new CaptureException(
          "\"%s\" is not a directory: name one, or none for an empty working copy"
              .formatted(wanted.directory()));
    }
    var source = wanted.directory().toRealPath();
    var plain = new PlainTree(source, copies.excludedFrom(source), wanted.limits(), stop);
    Optional<GitTree> git = GitTree.of(plain);
    return git.isPresent() ? git.get() : plain;
  }

  private CapturedCopy fill(CombinedChanges net) throws IOException, InterruptedException {
    boolean made = false;
    try {
      place = origin.fill(copy);
      for (var change : net.changes()) {
        if (change.now() == null) {
          SourceFiles.delete(place.resolve(ChangePath.check(change.path())), place);
        }
      }
      for (var change : net.changes()) {
        if (change.now() != null) {
          owner.stop().throwIfCancelled();
          bring(change, change.now().sha256());
        }
      }
      start = scan(Set.of(), true).files();
      made = true;
      return this;
    } finally {
      if (!made) {
        WorkingCopies.remove(copy, origin);
      }
    }
  }

  private void bring(CombinedChange change, String sha256) throws IOException {
    var file = place.resolve(ChangePath.check(change.path()));
    var content = contents.read(List.of(sha256)).get(sha256);
    if (content == null) {
      throw new CaptureException(
          "what an earlier step made of \"%s\" is missing in the store, %s: verify the plan"
              .formatted(change.path(), sha256));
    }
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    earlier.put(change.path(), change);
  }

  /// Directory for the attempt's work.
  public Path path() {
    return place;
  }

  /// Lists changes since the start, sorted by path. Blocks.
  ///
  /// @throws CaptureException if a change cannot be recorded
  public List<Altered> altered() {
    try {
      return compare(scan(known(), false));
    } catch (IOException failure) {
      throw failed(wanted, failure);
    }
  }

  private Set<String> known() {
    var known = new HashSet<String>();
    for (var name : start.keySet()) {
      for (int end = name.length(); end > 0 && known.add(name.substring(0, end)); ) {
        end = name.lastIndexOf('/', end - 1);
      }
    }
    return known;
  }

  private DirectorySnapshot scan(Set<String> known, boolean all) throws IOException {
    var rules =
        new TreeWalk.Rules(
            all ? GitIgnoreRules.nothing() : origin.ignored(place),
            known::contains,
            null,
            wanted.limits());
    return DirectorySnapshot.of(place, rules, owner.stop());
  }

  private List<Altered> compare(DirectorySnapshot now) {
    var unfit = new UnrecordableFiles();
    now.others().forEach(unfit::link);
    var names = new TreeSet<>(start.keySet());
    names.addAll(now.files().keySet());
    var altered = new ArrayList<Altered>();
    for (var name : names) {
      var before = start.get(name);
      var after = now.files().get(name);
      if (before == null || after == null || !before.sha256().equals(after.sha256())) {
        unfit.check(name, before, after);
        altered.add(
            new Altered(
                name,
                before == null ? null : before.sha256(),
                after == null ? null : after.sha256()));
      }
    }
    unfit.throwIfAny();
    leftOut = now.gits().stream().filter(name -> !isOfTheCopy(name)).toList();
    return altered;
  }

  /// Returns whether a `.git` file belongs to the work tree itself.
  private boolean isOfTheCopy(String name) {
    return origin instanceof GitTree && place.equals(copy) && name.equals(".git");
  }

  /// Files of git made since the start, which are not recorded. Known after [#altered].
  public List<String> leftOut() {
    return leftOut;
  }

  /// Returns whether the file's content at the start is in the store.
  public boolean isStored(Altered file) {
    var change = earlier.get(file.path());
    return change != null && !change.merged() && change.now().sha256().equals(file.before());
  }

  /// Content of a file at the start.
  ///
  /// @throws CaptureException if that content no longer exists
  public byte[] before(Altered file) throws InterruptedException {
    try {
      var content =
          earlier.containsKey(file.path())
              ? contents.read(List.of(file.before())).get(file.before())
              : origin.content(file.path(), file.before());
      if (content == null) {
        throw new CaptureException(
            "\"%s\" was changed in %s while the step worked on a copy of it: run the step again"
                .formatted(file.path(), wanted.directory()));
      }
      return content;
    } catch (IOException failure) {
      throw failed(wanted, failure);
    }
  }

  /// Current content of a file; null if it is deleted.
  public byte @Nullable [] after(Altered file) {
    try {
      return SourceFiles.bytes(place.resolve(file.path()));
    } catch (NoSuchFileException gone) {
      return null;
    } catch (IOException failure) {
      throw failed(wanted, failure);
    }
  }

  /// Removes the working copy, unless it is to be kept.
  @Override
  public void close() {
    if (!wanted.keep()) {
      WorkingCopies.remove(copy, origin);
    }
  }

  private static CaptureException failed(Wanted wanted, IOException failure) {
    var what = wanted.directory() == null ? "an empty directory" : wanted.directory().toString();
    return new CaptureException(
        "the working copy of %s failed: %s".formatted(what, failure), failure);
  }
}
