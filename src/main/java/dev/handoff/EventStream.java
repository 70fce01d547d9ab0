package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.engine.Events;
import dev.handoff.job.JobFact;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/// The live events as a stream: read page by page, as fast as the watcher takes them.
final class EventStream {

  private static final int PAGE = 256;
  private static final Duration LONG_POLL = Duration.ofMinutes(1);
  private static final Map<Class<?>, String> NAMES =
      Arrays.stream(JobFact.class.getAnnotation(JsonSubTypes.class).value())
          .collect(Collectors.toMap(JsonSubTypes.Type::value, JsonSubTypes.Type::name));

  private EventStream() {}

  static Source<JobEvent, NotUsed> after(long number, Handoff.Inside inside) {
    return Source.unfoldAsync(number, last -> next(last, inside))
        .mapConcat(items -> items)
        .map(EventStream::event);
  }

  private static CompletionStage<Optional<Pair<Long, List<Events.Item>>>> next(
      long last, Handoff.Inside inside) {
    return AskPattern.<Events.Command, Events.Page>ask(
            inside.doors().events(),
            replyTo -> new Events.Read(last, PAGE, replyTo),
            LONG_POLL,
            inside.system().scheduler())
        .handle((page, timeout) -> page == null ? nothing(last) : read(page));
  }

  private static Optional<Pair<Long, List<Events.Item>>> nothing(long last) {
    return Optional.of(Pair.create(last, List.of()));
  }

  private static Optional<Pair<Long, List<Events.Item>>> read(Events.Page page) {
    if (page.missed()) {
      throw new EventGapException(page.items().getFirst().number());
    }
    return Optional.of(Pair.create(page.last(), page.items()));
  }

  private static JobEvent event(Events.Item item) {
    return switch (item) {
      case Events.FactItem(long number, var state, var fact, var seen) ->
          new JobEvent(
              number,
              NAMES.get(fact.getClass()),
              state.id(),
              state.spec().type(),
              state.spec().queue(),
              state.status(seen),
              state.attempt(),
              seen,
              detail(fact));
      case Events.ProgressItem(long number, var seenProgress, var seen) ->
          new JobEvent(
              number,
              "progress",
              seenProgress.job(),
              seenProgress.type(),
              seenProgress.queue(),
              dev.handoff.job.JobStatus.RUNNING,
              seenProgress.attempt(),
              seen,
              Math.round(seenProgress.progress().fraction() * 100)
                  + " % "
                  + seenProgress.progress().message());
    };
  }

  private static @Nullable String detail(JobFact fact) {
    return switch (fact) {
      case JobFact.RetryScheduled(var end, var due) ->
          end.cause().label() + ": " + end.error().message();
      case JobFact.Failed(var end) -> end.cause().label() + ": " + end.error().message();
      case JobFact.Claimed(int attempt, var by, var at) -> by.toString();
      case JobFact.CancelRequested(var request) -> request.reason();
      case JobFact.Cancelled cancelled -> cancelled.request().reason();
      case JobFact.Returned returned -> returned.cause().label();
      case JobFact.StopRequested(int attempt, var cause, var at) ->
          cause.name().toLowerCase(java.util.Locale.ROOT);
      case JobFact.LateReport late -> late.what();
      case JobFact.Reopened opened -> "by " + opened.by();
      case JobFact.Submitted silent -> null;
      case JobFact.Released silent -> null;
      case JobFact.Started silent -> null;
      case JobFact.Succeeded silent -> null;
      case JobFact.AttemptStopped silent -> null;
      case JobFact.Checkpointed silent -> null;
      case JobFact.Noted silent -> null;
      case JobFact.ChildAdded silent -> null;
    };
  }
}
