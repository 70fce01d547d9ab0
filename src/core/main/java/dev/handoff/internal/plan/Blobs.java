package dev.handoff.internal.plan;

import dev.handoff.StoreException;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/// Actor that stores blobs before a fact names them. At most one write is under way; requests that
/// arrive meanwhile form the next write, in FIFO order.
///
/// ```
/// idle ──Keep──▶ writing ──written──▶ idle (or next write)
///                   ├─ away ────▶ all waiting requesters are told
///                   └─ refused ─▶ one request per write, so that only the bad one is refused
/// ```
///
/// `Kept` is sent only after the contents are durable. Requests are idempotent: a retry is
/// harmless.
public final class Blobs extends AbstractMatchingBehavior<Blobs.Command> {

  public sealed interface Command extends NoSerializationVerificationNeeded {}

  /// Stores contents for an owner (the root plan), and registers its use of contents already
  /// stored. Valid at any time.
  ///
  /// @param known hashes of contents that should be stored already; if one is missing, nothing is
  ///   kept
  public record Keep(
      String owner, List<PackedBlob> contents, Set<String> known, ActorRef<Answer> replyTo)
      implements Command {

    /// @throws IllegalArgumentException if the store cannot keep the owner's name
    public Keep {
      var checked = new BlobUse(owner, contents, known);
      contents = checked.contents();
      known = checked.known();
    }
  }

  public sealed interface Answer extends NoSerializationVerificationNeeded {}

  /// All contents of the request are durable.
  public record Kept() implements Answer {}

  /// Request refused as a whole, because these known contents are missing: send them too.
  public record Unknown(Set<String> missing) implements Answer {}

  /// Store unavailable, or backlog full: retry later.
  public record Unavailable(String reason, Duration retryAfter) implements Answer {}

  private record Written(@Nullable List<Set<String>> missing, @Nullable Throwable failure)
      implements Command {}

  /// Limits of one write and of the backlog.
  ///
  /// @param batchBytes size in bytes at which a write is closed
  /// @param batchContents number of contents at which a write is closed
  /// @param backlogBytes size of the backlog above which requests are turned away
  /// @param retryAfter retry hint for requests that are turned away
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
      case Written(var nothing, var failure) -> onFailure(StageFailures.cause(failure));
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
      var asked = writing.stream().map(BlobBacklog.Item::use).toList();
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

  /// Handles a failed write. For a refusal by the store, each request is retried separately, to
  /// find the bad one. Any other failure would also hit all waiting requests, so all requesters are
  /// told now.
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
}
