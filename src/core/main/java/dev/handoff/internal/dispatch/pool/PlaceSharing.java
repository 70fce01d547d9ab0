package dev.handoff.internal.dispatch.pool;

import dev.handoff.internal.dispatch.worker.Worker;

/// Distribution of a pool's places: first to attempts resuming after a wait, then in turn to
/// dispatchers with jobs. Remaining places are lent to dispatchers, so that the next job finds a
/// worker at hand.
final class PlaceSharing {

  /// Maximum number of idle workers lent to one dispatcher.
  private static final int LENT = 4;

  private final int places;
  private final WorkerRoster roster;
  private final DispatcherLinks links;
  private final DispatcherSender dispatchers;
  private long credits;

  PlaceSharing(
      int places, WorkerRoster roster, DispatcherLinks links, DispatcherSender dispatchers) {
    this.places = places;
    this.roster = roster;
    this.links = links;
    this.dispatchers = dispatchers;
  }

  /// Number of idle workers that a pool lends to a dispatcher.
  static int lends(int places) {
    return Math.min(LENT, places / 2);
  }

  /// Number of the last credit given to any dispatcher.
  long lastCredit() {
    return credits;
  }

  /// Number of places in use. A lent worker without a job counts as idle.
  int busy() {
    return Math.max(0, roster.busy() - links.idle());
  }

  /// Distributes the free places.
  ///
  /// @param mayGive whether dispatchers get new credits
  void share(boolean mayGive) {
    for (var back = roster.nextReturn(); back != null; back = roster.nextReturn()) {
      goOn(back);
    }
    if (mayGive) {
      give();
      lend();
      recall();
    }
  }

  static void goOn(PoolWorker worker) {
    worker.ref.tell(new Worker.GoOn(worker.credit, worker.round));
  }

  /// Gives credits to dispatchers until their demand is covered.
  private void give() {
    while (roster.hasRoom()) {
      var link = links.nextWanting();
      if (link == null) {
        return;
      }
      give(link);
    }
  }

  /// Lends credits while half of the places are free, so that recalls are rare.
  private void lend() {
    while (roster.busy() < places / 2) {
      var link = links.nextToLend();
      if (link == null) {
        return;
      }
      give(link);
    }
  }

  private void give(DispatcherLink link) {
    var worker = roster.give(++credits, link.partition);
    link.sent(credits);
    worker.ref.tell(new Worker.Offer(credits));
    dispatchers.credit(link, worker);
  }

  /// Recalls credits without a job if a place is needed and none is free.
  private void recall() {
    if (!roster.hasRoom() && (roster.isAwaited() || links.isAnyWanting())) {
      links.all().stream().filter(DispatcherLink::recall).forEach(dispatchers::recall);
    }
  }
}
