package dev.handoff.ledger;

import dev.handoff.actor.FatalErrorGuard;
import dev.handoff.store.Ownership;
import dev.handoff.store.Replay;
import dev.handoff.store.StoreException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// The first part of a ledger's life: takes the partition over, reads its last complete checkpoint
/// and the log since then, page by page, and becomes the [LedgerActor]. A store that is away is
/// waited for; content that cannot be read ends it, with the place in the message.
final class Recovery {

  private static final String AGAIN = "read-again";
  private static final int STASH = 10_000;

  private final ActorContext<Ledger.Command> context;
  private final TimerScheduler<Ledger.Command> timers;
  private final StashBuffer<Ledger.Command> stash;
  private final LedgerEnvironment environment;
  private final ActorRef<LedgerNotice> partition;
  private final Claim claim;
  private final Folding folding;

  private record Claim(int partition, String owner) {}

  /// How far the reading is.
  ///
  /// @param away whether the partition has been told that the store is away
  private record Progress(
      LiveStates states, Replay.Position next, long stateBytes, long logBytes, boolean away) {

    static Progress start(Ownership owner, boolean away) {
      return new Progress(new LiveStates(), Replay.Position.startOf(owner), 0, 0, away);
    }

    Progress plus(Replay.Piece piece) {
      return switch (piece) {
        case Replay.States(var bytes, var place) ->
            new Progress(states, next, stateBytes + bytes.length, logBytes, away);
        case Replay.Facts(long seq, var bytes, var place) ->
            new Progress(states, next, stateBytes, logBytes + bytes.length, away);
      };
    }

    Progress upTo(Replay.Position position) {
      return new Progress(states, position, stateBytes, logBytes, away);
    }

    Progress whileAway() {
      return new Progress(states, next, stateBytes, logBytes, true);
    }
  }

  private Recovery(
      ActorContext<Ledger.Command> context,
      TimerScheduler<Ledger.Command> timers,
      StashBuffer<Ledger.Command> stash,
      LedgerEnvironment environment,
      ActorRef<LedgerNotice> partition,
      Claim claim) {
    this.context = context;
    this.timers = timers;
    this.stash = stash;
    this.environment = environment;
    this.partition = partition;
    this.claim = claim;
    this.folding = new Folding(environment.codec(), environment.fold());
  }

  static Behavior<Ledger.Command> create(
      int partition,
      String owner,
      LedgerEnvironment environment,
      ActorRef<LedgerNotice> partitionActor) {
    return FatalErrorGuard.setup(
        context -> {
          context.setLoggerName(Ledger.class);
          return Behaviors.withTimers(
              timers ->
                  Behaviors.withStash(
                      STASH,
                      stash ->
                          new Recovery(
                                  context,
                                  timers,
                                  stash,
                                  environment,
                                  partitionActor,
                                  new Claim(partition, owner))
                              .takeOver(false)));
        });
  }

  /// @param away whether the partition has been told that the store is away
  private Behavior<Ledger.Command> takeOver(boolean away) {
    context.pipeToSelf(
        environment.store().takeOver(claim.partition(), claim.owner()), Ledger.TookOver::new);
    return takingOver(away);
  }

  private Behavior<Ledger.Command> takingOver(boolean away) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Ledger.TookOver(var ownership, var failure) when failure == null ->
                  read(ownership, Progress.start(ownership, away));
              case Ledger.TookOver(var none, var failure) ->
                  onFailure(failure, away, takingOver(true));
              case Ledger.ReadAgain again -> takeOver(away);
              case Ledger.Command early -> later(early);
            });
  }

  private Behavior<Ledger.Command> read(Ownership ownership, Progress progress) {
    request(progress.next());
    return reading(ownership, progress);
  }

  private void request(Replay.Position from) {
    context.pipeToSelf(environment.store().replay(claim.partition(), from), Ledger.PageRead::new);
  }

  private Behavior<Ledger.Command> reading(Ownership ownership, Progress progress) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Ledger.PageRead(var page, var failure) when failure == null ->
                  onPage(ownership, progress, page);
              case Ledger.PageRead(var none, var failure) ->
                  onFailure(failure, progress.away(), reading(ownership, progress.whileAway()));
              case Ledger.ReadAgain again -> read(ownership, progress);
              case Ledger.Command early -> later(early);
            });
  }

  /// The next page is read while this one is folded.
  private Behavior<Ledger.Command> onPage(
      Ownership ownership, Progress progress, Replay.Page page) {
    if (!page.last()) {
      request(page.next());
    }
    var read = progress;
    for (var piece : page.pieces()) {
      try {
        folding.into(progress.states(), piece);
      } catch (StoreException.Unreadable damaged) {
        return unreadable(damaged.getMessage());
      }
      read = read.plus(piece);
    }
    return page.last() ? recovered(ownership, read) : reading(ownership, read.upTo(page.next()));
  }

  private Behavior<Ledger.Command> recovered(Ownership ownership, Progress read) {
    var live = read.states().copy();
    context.getLog().debug("partition [{}]: read back, [{}] live", claim.partition(), live.size());
    partition.tell(new LedgerNotice.Recovered(live));
    if (read.away()) {
      partition.tell(new LedgerNotice.StoreBack());
    }
    var recovered =
        new Ledger.Recovered(ownership, read.states(), read.stateBytes(), read.logBytes());
    return stash.unstashAll(new LedgerActor(context, timers, environment, partition, recovered));
  }

  private Behavior<Ledger.Command> onFailure(
      Throwable failure, boolean told, Behavior<Ledger.Command> waiting) {
    var cause = LedgerEnvironment.cause(failure);
    if (cause instanceof StoreException.Unreadable || cause instanceof StoreException.Unfit) {
      return unreadable(String.valueOf(cause.getMessage()));
    }
    if (cause instanceof StoreException.Held) {
      partition.tell(new LedgerNotice.SteppedDown(String.valueOf(cause.getMessage())));
      return Behaviors.stopped();
    }
    if (!told) {
      partition.tell(new LedgerNotice.StoreAway(String.valueOf(cause.getMessage())));
    }
    timers.startSingleTimer(AGAIN, Ledger.ReadAgain.INSTANCE, environment.settings().retryAfter());
    return waiting;
  }

  private Behavior<Ledger.Command> unreadable(String message) {
    partition.tell(new LedgerNotice.Unreadable(message));
    return Behaviors.stopped();
  }

  private Behavior<Ledger.Command> later(Ledger.Command early) {
    if (early instanceof Ledger.Append append && stash.isFull()) {
      append
          .sender()
          .tell(
              new Ledger.Unavailable(
                  "the partition is being read back", environment.settings().retryAfter()));
    } else if (!stash.isFull()) {
      stash.stash(early);
    }
    return Behaviors.same();
  }
}
