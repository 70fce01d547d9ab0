package dev.handoff.plan.capture;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.context.workspace.Ignored;
import dev.handoff.job.JobId;
import dev.handoff.plan.change.ChangePath;
import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.Net;
import dev.handoff.plan.change.NetChange;
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

/// A directory of an attempt's own: a copy of another one, with what earlier steps have changed in
/// it. For one thread after the other.
public final class CapturedCopy implements AutoCloseable {

  /// What is wanted.
  ///
  /// @param directory null = an empty one
  /// @param keep whether it stays when the attempt has ended
  public record Wanted(@Nullable Path directory, boolean keep, CaptureLimits limits) {}

  /// Whose it is.
  public record Owner(JobId job, int attempt, CancellationToken stop) {}

  /// A file that is another one than at the start.
  ///
  /// @param before null = there was none
  /// @param after null = it is gone
  public record Altered(String path, @Nullable String before, @Nullable String after) {}

  private final Wanted wanted;
  private final Owner owner;
  private final Origin origin;
  private final Path copy;
  private final Contents contents;
  private Path place;
  private Map<String, NetChange> earlier = new HashMap<>();
  private SortedMap<String, Stamp> start = new TreeMap<>();
  private List<String> leftOut = List.of();

  private CapturedCopy(Wanted wanted, Owner owner, Origin origin, Path copy, Contents contents) {
    this.wanted = wanted;
    this.owner = owner;
    this.origin = origin;
    this.copy = copy;
    this.contents = contents;
    this.place = copy;
  }

  /// Makes one. Blocks.
  ///
  /// @param net what the steps before have changed
  /// @param stored the contents of the store
  /// @throws CaptureException if it cannot be made; then nothing is left of it
  /// @throws dev.handoff.cancel.CancelledException if the attempt is cancelled meanwhile
  public static CapturedCopy make(
      WorkingCopies copies, Wanted wanted, Owner owner, Net net, Contents stored)
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

  private static Origin origin(WorkingCopies copies, Wanted wanted, CancellationToken stop)
      throws IOException, InterruptedException {
    if (wanted.directory() == null) {
      return Origin.Nothing.INSTANCE;
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

  private CapturedCopy fill(Net net) throws IOException, InterruptedException {
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

  private void bring(NetChange change, String sha256) throws IOException {
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

  /// The directory to work in.
  public Path path() {
    return place;
  }

  /// What is different since the start, in the order of the paths. Blocks.
  ///
  /// @throws CaptureException if there is something that cannot be recorded
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

  private TreeState scan(Set<String> known, boolean all) throws IOException {
    var rules =
        new TreeWalk.Rules(
            all ? Ignored.nothing() : origin.ignored(place),
            known::contains,
            null,
            wanted.limits());
    return TreeState.of(place, rules, owner.stop());
  }

  private List<Altered> compare(TreeState now) {
    var unfit = new Unfit();
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

  /// A work tree has one file of git, which says so.
  private boolean isOfTheCopy(String name) {
    return origin instanceof GitTree && place.equals(copy) && name.equals(".git");
  }

  /// What was made since the start and is git's own, which is not recorded: told once [#altered]
  /// is.
  public List<String> leftOut() {
    return leftOut;
  }

  /// Whether what a file held at the start is in the store.
  public boolean isStored(Altered file) {
    var change = earlier.get(file.path());
    return change != null && !change.merged() && change.now().sha256().equals(file.before());
  }

  /// What a file held at the start.
  ///
  /// @throws CaptureException if nobody knows any more
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

  /// What it holds now; null if it is gone.
  public byte @Nullable [] after(Altered file) {
    try {
      return SourceFiles.bytes(place.resolve(file.path()));
    } catch (NoSuchFileException gone) {
      return null;
    } catch (IOException failure) {
      throw failed(wanted, failure);
    }
  }

  /// Removes it, unless it is to be kept.
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
