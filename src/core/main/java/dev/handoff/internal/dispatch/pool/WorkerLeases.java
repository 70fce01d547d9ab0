package dev.handoff.internal.dispatch.pool;

import dev.handoff.internal.dispatch.DispatchSettings;
import java.util.List;

/// Leases of a pool on another node. A lease limits how long attempts run without an answer of
/// their dispatcher.
///
/// A lease counts from the send time of the last answered heartbeat: the dispatcher heard from the
/// pool no earlier.
final class WorkerLeases {

  private final DispatcherLinks links;
  private final DispatchSettings settings;
  private long lastLook;

  /// @param now time of the pool's own clock
  WorkerLeases(DispatcherLinks links, DispatchSettings settings, long now) {
    this.links = links;
    this.settings = settings;
    this.lastLook = now;
  }

  /// Dispatchers whose lease has expired. Called with each heartbeat: a pool that was asleep itself
  /// reads one more round of messages first.
  List<DispatcherLink> over(long now) {
    boolean awake = now - lastLook < settings.heartbeat().multipliedBy(2).toNanos();
    lastLook = now;
    return awake ? links.silentFor(settings.lease(), now) : List.of();
  }
}
