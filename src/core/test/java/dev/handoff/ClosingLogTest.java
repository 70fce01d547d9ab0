package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.handoff.testing.HeldHandler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("The log of an engine that is being closed")
class ClosingLogTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.handoff.internal.dispatch");
  private final Level before = logger.getLevel();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final HeldHandler held = new HeldHandler();

  @BeforeEach
  void listen() {
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(lines);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(before);
  }

  private Handoff start() {
    return Handoff.builder()
        .store(new StoreSettings.Memory())
        .handler("held", Json.class, held)
        .shutdownGrace(Duration.ofMillis(50))
        .cancelling(Duration.ofMillis(50), Duration.ofSeconds(10))
        .start();
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void saysWhatRunsAndWhatIsStopped() {
    JobHandle job;
    try (var handoff = start()) {
      job = handoff.submitOrThrow(JobRequest.of("held"));
      held.next();
    }

    assertThat(said())
        .anyMatch(line -> line.matches("the engine is closing: \\[1] attempts .* have \\[50ms] .*"))
        .anyMatch(line -> line.matches("the engine is closing: \\[1] attempts .* are stopped, .*"))
        .contains("job [%s] attempt [1] is stopped: closing".formatted(job.id()))
        .noneMatch(line -> line.contains("is gone"));
  }

  @Test
  void isEmptyWhereNothingRuns() {
    start().close();

    assertThat(said()).isEmpty();
  }
}
