package dev.handoff.internal.facade;

import dev.handoff.internal.ask.ActorQuestions;
import java.time.Duration;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// Running event streams. They complete when the engine ends.
public record EventStreams(ActorQuestions questions) {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  <T> Source<T, NotUsed> whileRunning(Source<T, NotUsed> source) {
    return questions.whileRunning(source);
  }

  /// Waits briefly for running streams, because their actor system may be about to terminate.
  public void awaitEnd() {
    BoundedWait.forEnd(questions.streamsOver(), PATIENCE);
  }
}
