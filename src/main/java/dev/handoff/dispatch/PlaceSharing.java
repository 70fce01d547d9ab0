package dev.handoff.dispatch;

/// The places of a pool, and who gets them: attempts that have waited for a child, then dispatchers
/// that have jobs, in turn. What is left is lent to dispatchers, so that a worker is at hand where
/// the next job comes.
final class PlaceSharing {

  /// How many idle workers each dispatcher has at hand, at most.
  private static final int LENT = 4;

  private final int places;
  private final Crew crew;
  private final Links links;
  private final ToDispatchers dispatchers;
  private long credits;

  PlaceSharing(int places, Crew crew, Links links, ToDispatchers dispatchers) {
    this.places = places;
    this.crew = crew;
    this.links = links;
    this.dispatchers = dispatchers;
  }

  /// How many idle workers a pool lends to a dispatcher.
  static int lends(int places) {
    return Math.min(LENT, places / 2);
  }

  /// The number of the last credit that was given to anybody.
  long lastCredit() {
    return credits;
  }

  /// How many places are in use. What was lent, and has no job yet, is idle.
  int busy() {
    return Math.max(0, crew.busy() - links.idle());
  }

  /// Gives places away, as long as there are any.
  ///
  /// @param mayGive whether dispatchers get new ones
  void share(boolean mayGive) {
    for (var back = crew.nextReturn(); back != null; back = crew.nextReturn()) {
      goOn(back);
    }
    if (mayGive) {
      give();
      lend();
      recall();
    }
  }

  static void goOn(Member member) {
    member.worker.tell(new Worker.GoOn(member.credit, member.round));
  }

  /// As long as a dispatcher wants more than is on its way to it.
  private void give() {
    while (crew.hasRoom()) {
      var link = links.nextWanting();
      if (link == null) {
        return;
      }
      give(link);
    }
  }

  /// As long as half of the places are free: so few of them have to be recalled.
  private void lend() {
    while (crew.busy() < places / 2) {
      var link = links.nextToLend();
      if (link == null) {
        return;
      }
      give(link);
    }
  }

  private void give(DispatcherLink link) {
    var member = crew.give(++credits, link.partition);
    link.sent(credits);
    member.worker.tell(new Worker.Offer(credits));
    dispatchers.credit(link, member);
  }

  /// If there is no place for somebody, dispatchers give back what they have no job for.
  private void recall() {
    if (!crew.hasRoom() && (crew.isAwaited() || links.isAnyWanting())) {
      links.all().stream().filter(DispatcherLink::recall).forEach(dispatchers::recall);
    }
  }
}
