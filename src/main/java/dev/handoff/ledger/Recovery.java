package dev.handoff.ledger;

import dev.handoff.store.Ownership;
import dev.handoff.store.Replay;
import dev.handoff.store.StoreException;
import java.io.IOException;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/// The first part of a ledger's life: takes the partition over, reads its last complete checkpoint and the log since
/// then, page by page, and becomes the [Ledger]. A store that is away is waited for; content that cannot be read ends
/// it, with the place in the message.
final class Recovery {

  private static final String AGAIN = "read-again";
  private static final int STASH = 100_000;

  private final ActorContext<Ledger.Command> context;
  private final TimerScheduler<Ledger.Command> timers;
  private final StashBuffer<Ledger.Command> stash;
  private final LedgerEnvironment environment;
  private final ActorRef<LedgerNotice> partition;
  private final Claim claim;

  private record Claim(int partition, String owner) {}

  /// How far the reading is.
  private record Progress(LiveStates states, Replay.Position next, long stateBytes, long logBytes) {}

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
  }

  static Behavior<Ledger.Command> create(
      int partition, String owner, LedgerEnvironment environment, ActorRef<LedgerNotice> partitionActor) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Ledger.class);
          return Behaviors.withTimers(
              timers ->
                  Behaviors.withStash(
                      STASH,
                      stash ->
                          new Recovery(
                                  context, timers, stash, environment, partitionActor, new Claim(partition, owner))
                              .takeOver()));
        });
  }

  private Behavior<Ledger.Command> takeOver() {
    context.pipeToSelf(environment.store().takeOver(claim.partition(), claim.owner()), Ledger.TookOver::new);
    return takingOver();
  }

  private Behavior<Ledger.Command> takingOver() {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Ledger.TookOver(var ownership, var failure) when failure == null ->
                  read(ownership, new Progress(new LiveStates(), Replay.Position.START, 0, 0));
              case Ledger.TookOver(var none, var failure) -> onFailure(failure, takingOver());
              case Ledger.ReadAgain again -> takeOver();
              case Ledger.Command early -> later(early);
            });
  }

  private Behavior<Ledger.Command> read(Ownership ownership, Progress progress) {
    context.pipeToSelf(environment.store().replay(claim.partition(), progress.next()), Ledger.PageRead::new);
    return reading(ownership, progress);
  }

  private Behavior<Ledger.Command> reading(Ownership ownership, Progress progress) {
    return Behaviors.receiveMessage(
        message ->
            switch (message) {
              case Ledger.PageRead(var page, var failure) when failure == null -> onPage(ownership, progress, page);
              case Ledger.PageRead(var none, var failure) -> onFailure(failure, reading(ownership, progress));
              case Ledger.ReadAgain again -> read(ownership, progress);
              case Ledger.Command early -> later(early);
            });
  }

  private Behavior<Ledger.Command> onPage(Ownership ownership, Progress progress, Replay.Page page) {
    long stateBytes = progress.stateBytes();
    long logBytes = progress.logBytes();
    for (var piece : page.pieces()) {
      try {
        fold(progress.states(), piece);
      } catch (IOException | RuntimeException e) {
        return unreadable(piece.place() + ": " + e.getMessage());
      }
      switch (piece) {
        case Replay.States states -> stateBytes += states.bytes().length;
        case Replay.Facts facts -> logBytes += facts.bytes().length;
      }
    }
    var read = new Progress(progress.states(), page.next(), stateBytes, logBytes);
    return page.last() ? recovered(ownership, read) : read(ownership, read);
  }

  private void fold(LiveStates states, Replay.Piece piece) throws IOException {
    for (var entry : Rows.read(piece.bytes())) {
      switch (piece) {
        case Replay.States chunk -> states.put(environment.codec().decodeState(entry.bytes()));
        case Replay.Facts row ->
            environment.fold().fold(states, entry.entity(), environment.codec().decodeFact(entry.bytes()));
      }
    }
  }

  private Behavior<Ledger.Command> recovered(Ownership ownership, Progress read) {
    var live = read.states().copy();
    context.getLog().debug("partition [{}]: read back, [{}] live", claim.partition(), live.size());
    partition.tell(new LedgerNotice.Recovered(live));
    var recovered = new Ledger.Recovered(ownership, read.states(), read.stateBytes(), read.logBytes());
    return stash.unstashAll(new Ledger(context, timers, environment, partition, recovered));
  }

  private Behavior<Ledger.Command> onFailure(Throwable failure, Behavior<Ledger.Command> waiting) {
    if (failure instanceof StoreException.Unreadable damaged) {
      return unreadable(damaged.getMessage());
    }
    partition.tell(new LedgerNotice.StoreAway(String.valueOf(failure.getMessage())));
    timers.startSingleTimer(AGAIN, Ledger.ReadAgain.INSTANCE, environment.settings().retryAfter());
    return waiting;
  }

  private Behavior<Ledger.Command> unreadable(String message) {
    partition.tell(new LedgerNotice.Unreadable(message));
    return Behaviors.stopped();
  }

  private Behavior<Ledger.Command> later(Ledger.Command early) {
    if (early instanceof Ledger.Append append && stash.isFull()) {
      append.sender().tell(new Ledger.Unavailable("the partition is being read back", environment.settings().retryAfter()));
    } else if (!stash.isFull()) {
      stash.stash(early);
    }
    return Behaviors.same();
  }
}
