package dev.handoff.internal.facade.start;

import dev.handoff.Handoff;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.LoggerFactory;

/// Warns of actor system settings that let an engine end the host's JVM.
final class HostCheck {

  private HostCheck() {}

  static void warn(ActorSystem<?> system) {
    var config = system.settings().config();
    var log = LoggerFactory.getLogger(Handoff.class);
    if (config.getBoolean("pekko.jvm-exit-on-fatal-error")) {
      log.warn(
          "pekko.jvm-exit-on-fatal-error is on: a fatal error in the actor system [{}] ends this"
              + " JVM",
          system.name());
    }
    if (config.getBoolean("pekko.coordinated-shutdown.exit-jvm")) {
      log.warn(
          "pekko.coordinated-shutdown.exit-jvm is on: the end of the actor system [{}] ends this"
              + " JVM",
          system.name());
    }
  }
}
