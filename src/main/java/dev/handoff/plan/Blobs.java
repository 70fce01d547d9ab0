package dev.handoff.plan;

import dev.handoff.actor.DurationWords;
import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.store.Blob;
import dev.handoff.store.Keeping;
import dev.handoff.store.Store;
import dev.handoff.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Makes contents durable before anything names them: at most one write is under way, and whatever
/// arrives meanwhile is the next one, in the order of arrival.
///
/// ```
/// idle ──Keep──▶ writing ──written──▶ idle (or what waits)
///                   ├─ away ────▶ everybody who waits is told
///                   └─ refused ─▶ one by one, until the bad one is alone
/// ```
///
/// Nobody is told `Kept` before it is durable. Asking again after any other answer is harmless.
public final class Blobs extends AbstractMatchingBehavior<Blobs.Command> {

  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Stores contents for an owner, which is the root plan, and counts what he uses of what is
  /// stored already. Valid at any time.
  ///
  /// @param known hashes of contents that should be there; if one is not, nothing is kept
  /// @throws IllegalArgumentException if the owner's name is none that a store can keep
  public record Keep(String owner, List<Blob> contents, Set<String> known, ActorRef<Answer> replyTo)
      implements Command {

    public Keep {
      var checked = new Keeping(owner, contents, known);
      contents = checked.contents();
      known = checked.known();
    }
  }

  public sealed interface Answer extends NoSerializationVerificationNeeded {}

  /// It is durable.
  public record Kept() implements Answer {}

  /// Nothing was kept, because these contents are not there: hand them in.
  public record Unknown(Set<String> missing) implements Answer {}

  /// The store is away, or too much waits for it: ask again later.
  public record Unavailable(String reason, Duration retryAfter) implements Answer {}

  private record Written(@Nullable List<Set<String>> missing, @Nullable Throwable failure)
      implements Command {}

  /// How much is written at a time, and how much may wait.
  ///
  /// @param batchBytes a write ends after this many bytes
  /// @param batchContents a write ends after this many contents
  /// @param backlogBytes what comes while so much waits is turned away
  /// @param retryAfter what those are told who are turned away
  public record Settings(
      long batchBytes, int batchContents, long backlogBytes, Duration retryAfter) {

    public static final Settings DEFAULT =
        new Settings(2L << 20, 2_000, 64L << 20, Duration.ofSeconds(1));

    public Settings {
      if (batchBytes < 1 || batchContents < 1 || backlogBytes < 1 || !retryAfter.isPositive()) {
        throw new IllegalArgumentException(
            "writes of contents need room for one byte and one content at least, and a positive"
                + " time to wait: "
                + "batch %d bytes, %d contents, backlog %d bytes, retry after %s"
                    .formatted(
                        batchBytes, batchContents, backlogBytes, DurationWords.exact(retryAfter)));
      }
    }
  }

  public static Behavior<Command> create(Store store, Settings settings) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Blobs.class);
          return new Blobs(context, store, settings);
        });
  }

  private final Store store;
  private final Settings settings;
  private final BlobBacklog backlog;
  private List<BlobBacklog.Item> writing = List.of();

  private Blobs(ActorContext<Command> context, Store store, Settings settings) {
    super(context);
    this.store = store;
    this.settings = settings;
    this.backlog = new BlobBacklog(settings);
  }

  @Override
  public Behavior<Command> onMessage(Command message) {
    return switch (message) {
      case Keep keep -> onKeep(keep);
      case Written(var missing, var failure) when failure == null -> onWritten(missing);
      case Written(var nothing, var failure) -> onFailure(unwrapped(failure));
    };
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    if (signal instanceof PostStop) {
      turnAwayAll("the engine is stopping");
      return this;
    }
    return Behaviors.unhandled();
  }

  private Behavior<Command> onKeep(Keep keep) {
    if (backlog.add(BlobBacklog.Item.of(keep))) {
      writeNext();
    } else {
      turnAway(
          keep,
          "%d bytes of contents wait for the store already: try again when it has caught up"
              .formatted(backlog.bytes()));
    }
    return this;
  }

  private void writeNext() {
    if (writing.isEmpty() && !backlog.isEmpty()) {
      writing = backlog.next();
      var asked = writing.stream().map(BlobBacklog.Item::keeping).toList();
      getContext().pipeToSelf(store.keepBlobs(asked), Written::new);
    }
  }

  private Behavior<Command> onWritten(List<Set<String>> missing) {
    for (int at = 0; at < writing.size(); at++) {
      var unknown = missing.get(at);
      writing.get(at).keep().replyTo().tell(unknown.isEmpty() ? new Kept() : new Unknown(unknown));
    }
    return next();
  }

  private Behavior<Command> next() {
    writing = List.of();
    writeNext();
    return this;
  }

  /// What the store refuses is refused alone. Anything else would meet those that wait too, one
  /// write after the other; they are told at once.
  private Behavior<Command> onFailure(Throwable failure) {
    getContext().getLog().debug("contents were not stored: {}", failure.toString());
    if (!(failure instanceof StoreException.Unfit)) {
      turnAwayAll(String.valueOf(failure.getMessage()));
    } else if (writing.size() > 1) {
      backlog.apart(writing);
    } else {
      writing.forEach(item -> turnAway(item.keep(), String.valueOf(failure.getMessage())));
    }
    return next();
  }

  private void turnAwayAll(String reason) {
    writing.forEach(item -> turnAway(item.keep(), reason));
    backlog.drain().forEach(item -> turnAway(item.keep(), reason));
  }

  private void turnAway(Keep keep, String reason) {
    keep.replyTo().tell(new Unavailable(reason, settings.retryAfter()));
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
