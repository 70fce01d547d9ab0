package dev.handoff;

import dev.handoff.ask.Questions;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/// The streams of events that are being read. They complete when the engine ends.
record Streams(Questions questions) {

  private static final int PATIENCE_SECONDS = 2;

  <T> Source<T, NotUsed> whileRunning(Source<T, NotUsed> source) {
    return questions.whileRunning(source);
  }

  /// Waits a moment for those that were running: what they run on may be about to end.
  void awaitEnd() {
    questions.streamsOver().completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }
}
