package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("The log after a process that has ended without order")
class LostAttemptsLogTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.handoff");
  private final Logger failures = (Logger) LoggerFactory.getLogger("dev.handoff.failures");
  private final Level before = logger.getLevel();
  private final Level failuresBefore = failures.getLevel();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();

  @BeforeEach
  void listen() {
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.setLevel(Level.INFO);
    failures.setLevel(Level.DEBUG);
    logger.setAdditive(false);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(before);
    failures.setLevel(failuresBefore);
    home.close();
  }

  private void runTwoAndEnd() {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "host");
    var handoff = Handoff.on(system).store(home.store()).handler("held", Json.class, held).start();
    for (int i = 0; i < 2; i++) {
      handoff.submitOrThrow(JobRequest.of("held"));
      held.next();
    }
    system.terminate();
    BoundedWaits.get(system.getWhenTerminated());
    handoff.close();
  }

  @Test
  void hasOneLineForAllAttemptsThatWereLost() {
    runTwoAndEnd();
    logger.addAppender(lines);

    var next = Handoff.builder().store(home.store()).handler("held", Json.class, held).start();
    held.next().succeed(1);
    held.next().succeed(1);
    next.close();

    assertThat(lines.list)
        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .extracting(ILoggingEvent::getFormattedMessage)
        .isEqualTo(List.of("[2] attempts were lost with the former process"));
    assertThat(lines.list)
        .filteredOn(line -> line.getLevel() == Level.DEBUG)
        .extracting(ILoggingEvent::getFormattedMessage)
        .hasSize(2)
        .allMatch(line -> line.contains("worker-lost: "));
  }
}
