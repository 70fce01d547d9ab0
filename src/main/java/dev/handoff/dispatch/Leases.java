package dev.handoff.dispatch;

import java.util.List;

/// How long the attempts of a pool on another node may go on while their dispatcher does not
/// answer.
///
/// A lease counts from when the last beat that was answered had been sent: by then the dispatcher
/// had heard of it.
final class Leases {

  private final Links links;
  private final DispatchSettings settings;
  private long lastLook;

  /// @param now on the pool's own clock
  Leases(Links links, DispatchSettings settings, long now) {
    this.links = links;
    this.settings = settings;
    this.lastLook = now;
  }

  /// The dispatchers whose lease is over. To be asked with each heartbeat: a pool that has itself
  /// been asleep reads one more round first.
  List<DispatcherLink> over(long now) {
    boolean awake = now - lastLook < settings.heartbeat().multipliedBy(2).toNanos();
    lastLook = now;
    return awake ? links.silentFor(settings.lease(), now) : List.of();
  }
}
