package dev.handoff.internal.ledger;

import dev.handoff.StoreException;
import dev.handoff.internal.actor.FatalErrorGuard;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/// Start of a ledger: takes over the partition, reads its last complete checkpoint and the log
/// since then page by page, and becomes the [LedgerActor]. Recovery waits for an unreachable store;
/// unreadable content ends it, naming the place.
final class LedgerRecovery {

  private static final String AGAIN = "read-again";
  private static final int STASH = 10_000;

  private final ActorContext<Ledger.Command> context;
  private final TimerScheduler<Ledger.Command> timers;
  private final StashBuffer<Ledger.Command> stash;
  private final LedgerEnvironment environment;
  private final ActorRef<LedgerNotice> partition;
  private final Claim claim;
  private final RowFolding folding;

  private record Claim(int partition, String owner) {}

  /// Position and totals of the replay.
  ///
  /// @param away whether the partition was told that the store is away
  private record Progress(
      LiveStates states,
      PartitionReplay.Position next,
      long stateBytes,
      long logBytes,
      boolean away) {

    static Progress start(PartitionOwnership owner, boolean away) {
      return new Progress(new LiveStates(), PartitionReplay.Position.startOf(owner), 0, 0, away);
    }

    Progress plus(PartitionReplay.Piece piece) {
      return switch (piece) {
        case PartitionReplay.States(var bytes, var place) ->
            new Progress(states, next, stateBytes + bytes.length, logBytes, away);
        case PartitionReplay.Facts(long seq, var bytes, var place) ->
            new Progress(states, next, stateBytes, logBytes + bytes.length, away);
      };
    }

    Progress upTo(PartitionReplay.Position position) {
      return new Progress(states, position, stateBytes, logBytes, away);
    }

    Progress whileAway() {
      return new Progress(states, next, stateBytes, logBytes, true);
    }
  }

  private LedgerRecovery(
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
    this.folding = new RowFolding(environment.codec(), environment.fold());
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
                          new LedgerRecovery(
                                  context,
                                  timers,
                                  stash,
                                  environment,
                                  partitionActor,
                                  new Claim(partition, owner))
                              .takeOver(false)));
        });
  }

  /// @param away whether the partition was told that the store is away
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

  private Behavior<Ledger.Command> read(PartitionOwnership ownership, Progress progress) {
    request(progress.next());
    return reading(ownership, progress);
  }

  private void request(PartitionReplay.Position from) {
    context.pipeToSelf(environment.store().replay(claim.partition(), from), Ledger.PageRead::new);
  }

  private Behavior<Ledger.Command> reading(PartitionOwnership ownership, Progress progress) {
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

  /// Requests the next page before this one is folded, so that both overlap.
  private Behavior<Ledger.Command> onPage(
      PartitionOwnership ownership, Progress progress, PartitionReplay.Page page) {
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

  private Behavior<Ledger.Command> recovered(PartitionOwnership ownership, Progress read) {
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
    var cause = StageFailures.cause(failure);
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
