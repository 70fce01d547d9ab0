package dev.handoff;

import dev.handoff.engine.Event;
import dev.handoff.engine.Events;
import dev.handoff.job.JobId;
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

/// The live events as a stream: read page by page, as fast as the watcher takes them. It completes
/// when the engine ends.
record EventStream(Handoff.Inside inside, JobCalls jobs) {

  private static final int PAGE = 256;
  private static final Duration LONG_POLL = Duration.ofMinutes(1);

  /// What happens from when the stream is run.
  Source<JobEvent, NotUsed> fromNow() {
    return whileRunning(later(() -> last().thenApply(this::reading)));
  }

  /// What has happened since an event, and from then on.
  Source<JobEvent, NotUsed> after(long number) {
    return whileRunning(reading(number));
  }

  /// What happens to one job, up to its end. The job is looked at after the events have been found
  /// and whenever some were missed, so that its end is told in any case.
  Source<JobEvent, NotUsed> of(JobHandle job) {
    return whileRunning(following(job));
  }

  private Source<JobEvent, NotUsed> following(JobHandle job) {
    return later(
            () ->
                last()
                    .thenCompose(
                        number ->
                            jobs.status(job.id())
                                .thenApply(info -> following(job.id(), number, info))))
        .mapError(CompletionException.class, EventStream::cause)
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
    return inside
        .streams()
        .whileRunning(
            source
                .mapError(CompletionException.class, EventStream::cause)
                .recoverWith(UnavailableException.class, this::unanswered));
  }

  private static Throwable cause(CompletionException wrapper) {
    return wrapper.getCause() == null ? wrapper : wrapper.getCause();
  }

  /// A stream that was just being started when the engine ended, ends with it.
  private <T> Source<T, NotUsed> unanswered() {
    return inside.calls().over() == null
        ? Source.failed(new UnavailableException("the events do not answer"))
        : Source.empty();
  }

  private Source<JobEvent, NotUsed> reading(long number) {
    return Source.unfoldAsync(number, this::next)
        .mapConcat(events -> events)
        .map(EventStream::event);
  }

  private CompletionStage<Long> last() {
    return inside
        .calls()
        .ask(inside.doors().events(), Events.GetLast::new)
        .thenApply(Events.Page::last);
  }

  private CompletionStage<Optional<Pair<Long, List<Event>>>> next(long last) {
    return inside
        .calls()
        .<Events.Command, Events.Page>ask(
            inside.doors().events(), replyTo -> new Events.Read(last, PAGE, replyTo), LONG_POLL)
        .thenApply(EventStream::read);
  }

  private static Optional<Pair<Long, List<Event>>> read(Events.Page page) {
    if (page.missed()) {
      throw new EventGapException(page.last() + 1 - page.events().size());
    }
    return Optional.of(Pair.create(page.last(), page.events()));
  }

  private static JobEvent event(Event seen) {
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

  /// The event with which a job has ended, told from what it ended as.
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
        .or(() -> job.cancel().map(CancelInfo::reason))
        .orElse(null);
  }
}
