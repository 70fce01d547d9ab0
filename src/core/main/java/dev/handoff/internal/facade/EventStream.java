package dev.handoff.internal.facade;

import dev.handoff.EventGapException;
import dev.handoff.JobEvent;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.engine.EngineEvent;
import dev.handoff.internal.engine.EventBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.japi.function.Creator;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/// Live job events as a stream, read page by page at the watcher's pace. The stream completes when
/// the engine ends.
public record EventStream(JobCalls jobs) {

  private static final int PAGE = 256;
  private static final Duration LONG_POLL = Duration.ofMinutes(1);

  /// Events from the moment when the stream is run.
  public Source<JobEvent, NotUsed> fromNow() {
    return whileRunning(later(() -> last().thenApply(this::reading)));
  }

  /// Events with a number above the given one, past and future.
  public Source<JobEvent, NotUsed> after(long number) {
    return whileRunning(reading(number));
  }

  /// Events of one job, up to its end. The job itself is read after the stream's position is known,
  /// and again after every gap, so the end event is always delivered.
  Source<JobEvent, NotUsed> of(JobId job) {
    return whileRunning(following(job));
  }

  private Source<JobEvent, NotUsed> following(JobId job) {
    return later(
            () ->
                last()
                    .thenCompose(
                        number -> jobs.status(job).thenApply(info -> following(job, number, info))))
        .mapError(CompletionException.class, StageFailures::cause)
        .recoverWith(EventGapException.class, () -> following(job));
  }

  private Source<JobEvent, NotUsed> following(JobId id, long number, JobInfo now) {
    return now.status().isTerminal()
        ? Source.single(end(number, now))
        : reading(number)
            .filter(event -> event.job().equals(id))
            .takeWhile(event -> !event.isLast(), true);
  }

  private static <T> Source<T, NotUsed> later(Creator<CompletionStage<Source<T, NotUsed>>> source) {
    return Source.lazyCompletionStageSource(source)
        .mapMaterializedValue(ignored -> NotUsed.getInstance());
  }

  private <T> Source<T, NotUsed> whileRunning(Source<T, NotUsed> source) {
    return jobs.engine()
        .streams()
        .whileRunning(
            source
                .mapError(CompletionException.class, StageFailures::cause)
                .recoverWith(UnavailableException.class, this::unanswered));
  }

  /// Completes a stream that was starting when the engine ended.
  private <T> Source<T, NotUsed> unanswered() {
    return jobs.engine().calls().over() == null
        ? Source.failed(new UnavailableException("the events do not answer"))
        : Source.empty();
  }

  private Source<JobEvent, NotUsed> reading(long number) {
    return Source.unfoldAsync(number, this::next)
        .mapConcat(events -> events)
        .map(EventStream::event);
  }

  private CompletionStage<Long> last() {
    return jobs.engine()
        .calls()
        .ask(jobs.engine().doors().events(), EventBuffer.GetLast::new)
        .thenApply(EventBuffer.Page::last);
  }

  private CompletionStage<Optional<Pair<Long, List<EngineEvent>>>> next(long last) {
    return jobs.engine()
        .calls()
        .<EventBuffer.Command, EventBuffer.Page>ask(
            jobs.engine().doors().events(),
            replyTo -> new EventBuffer.Read(last, PAGE, replyTo),
            LONG_POLL)
        .thenApply(EventStream::read);
  }

  private static Optional<Pair<Long, List<EngineEvent>>> read(EventBuffer.Page page) {
    if (page.missed()) {
      throw new EventGapException(page.last() + 1 - page.events().size());
    }
    return Optional.of(Pair.create(page.last(), page.events()));
  }

  private static JobEvent event(EngineEvent seen) {
    return new JobEvent(
        seen.number(),
        seen.name(),
        seen.job(),
        seen.type(),
        seen.queue(),
        seen.status(),
        seen.attempt(),
        seen.at(),
        seen.detail());
  }

  /// Final event of a job, built from its final state.
  private static JobEvent end(long number, JobInfo job) {
    return new JobEvent(
        number,
        job.status().label(),
        job.id(),
        job.type(),
        job.queue(),
        job.status(),
        job.attempt(),
        job.finishedAt().orElseThrow(),
        detail(job));
  }

  private static @Nullable String detail(JobInfo job) {
    return job.cause()
        .map(cause -> cause.label() + ": " + job.error().orElseThrow().message())
        .or(() -> job.cancel().map(JobInfo.Cancel::reason))
        .orElse(null);
  }
}
