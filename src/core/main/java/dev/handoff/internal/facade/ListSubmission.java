package dev.handoff.internal.facade;

import dev.handoff.JobRequest;
import dev.handoff.Submission;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.ask.FullHeapSteps;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.job.SubmitReplies;
import dev.handoff.internal.job.SubmitReply;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Submission of a list in parts of bounded size. The next part is sent when every job of the
/// previous part is durable or refused. So a list of any length uses bounded memory and a bounded
/// part of the store's backlog, and equal keys are accepted in list order.
///
/// ```
/// next part ──▶ sent ──all durable or refused──▶ next part, or done
///                ▲ └──some not accepted yet────▶ pause ──▶ those jobs are sent again
///                └───────────────────────────────┘
/// sent, pause ──no answer, or no progress for long──▶ done: the rest is unavailable
/// ```
///
/// One thread at a time works on a list. It is never a thread for user callbacks, because callbacks
/// may wait for a list.
final class ListSubmission {

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final RunningEngine engine;
  private final BiFunction<@Nullable SubmitReply, @Nullable Throwable, Submission> told;
  private final @Nullable Submission[] answers;

  /// Whether the partition rejected the job for now, so that a retry is safe.
  private final boolean[] notTaken;

  private final ListParts parts;
  private final CompletableFuture<List<Submission>> all = new CompletableFuture<>();
  private final Consumer<String> givingUp = this::giveUp;
  private final Duration patience;
  private List<ListParts.Share> part = List.of();
  private int partJobs;
  private long lastTaken;

  /// @param told converts a reply into an answer
  /// @param patience longest time without an accepted job before the rest of the list is given up
  ListSubmission(
      RunningEngine engine,
      BiFunction<@Nullable SubmitReply, @Nullable Throwable, Submission> told,
      List<JobRequest> requests,
      Duration patience) {
    this.engine = engine;
    this.told = told;
    this.patience = patience;
    this.answers = new Submission[requests.size()];
    this.notTaken = new boolean[requests.size()];
    int partitions = engine.doors().partitions().size();
    this.parts = new ListParts(requests, partitions, engine.submissions(), answers);
  }

  CompletionStage<List<Submission>> submit() {
    goOn(this::nextPart);
    return all;
  }

  /// Runs a step; a failed step ends the submission, because no other thread would continue it.
  private void goOn(Runnable step) {
    try {
      step.run();
    } catch (Throwable failure) {
      FullHeapSteps.outlast(givingUp, String.valueOf(failure));
    }
  }

  private void nextPart() {
    part = parts.next();
    if (part.isEmpty()) {
      all.complete(List.of(answers));
    } else {
      partJobs = jobs(part);
      lastTaken = System.nanoTime();
      send();
    }
  }

  private void send() {
    var sent = part.stream().map(this::send).toList();
    CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
        .whenCompleteAsync(
            (done, failure) -> goOn(() -> sent(sent.stream().allMatch(CompletableFuture::join))),
            CallbackThreads.chores());
  }

  private CompletableFuture<Boolean> send(ListParts.Share share) {
    return engine
        .calls()
        .<Gateway.Command, SubmitReplies, Boolean>ask(
            engine.doors().gateway(),
            replyTo -> new Gateway.SubmitBatch(share.partition(), share.specs(), replyTo),
            (replies, failure) -> answer(share, replies, failure))
        .toCompletableFuture();
  }

  private boolean answer(
      ListParts.Share share, @Nullable SubmitReplies replies, @Nullable Throwable failure) {
    for (int i = 0; i < share.places().size(); i++) {
      var reply = replies == null ? null : replies.replies().get(i);
      int place = share.places().get(i);
      answers[place] = told.apply(reply, failure);
      notTaken[place] = reply instanceof SubmitReply.Unavailable;
    }
    return replies != null;
  }

  /// Repeats jobs that were rejected for now. A job without an answer may have been accepted, so it
  /// is not repeated.
  ///
  /// @param answered whether every share got a reply
  private void sent(boolean answered) {
    var again = where(place -> notTaken[place]);
    if (jobs(again) < jobs(part)) {
      lastTaken = System.nanoTime();
    }
    if (!answered) {
      giveUp(why(where(place -> isOpen(place) && !notTaken[place])).reason());
    } else if (again.isEmpty()) {
      nextPart();
    } else {
      sendLater(again);
    }
  }

  /// Ends a part with jobs that stay rejected for long. If other jobs of the part were accepted,
  /// the cause lies in these jobs, for example a key whose job cannot be read; otherwise the store
  /// is the cause.
  private void endPart(List<ListParts.Share> notTaken, String reason) {
    if (jobs(notTaken) < partJobs) {
      nextPart();
    } else {
      giveUp(reason);
    }
  }

  private List<ListParts.Share> where(IntPredicate isWanted) {
    return part.stream()
        .map(share -> share.where(isWanted))
        .filter(share -> !share.specs().isEmpty())
        .toList();
  }

  private boolean isOpen(int place) {
    return answers[place] instanceof Submission.Unavailable;
  }

  /// Answer to the first of these jobs.
  private Submission.Unavailable why(List<ListParts.Share> unavailable) {
    int place = unavailable.getFirst().places().getFirst();
    return (Submission.Unavailable) Objects.requireNonNull(answers[place]);
  }

  private static int jobs(List<ListParts.Share> shares) {
    return shares.stream().mapToInt(share -> share.specs().size()).sum();
  }

  private void sendLater(List<ListParts.Share> again) {
    var why = why(again);
    var pause = why.retryAfter().compareTo(LONGEST_PAUSE) < 0 ? why.retryAfter() : LONGEST_PAUSE;
    if (System.nanoTime() + pause.toNanos() - lastTaken >= patience.toNanos()) {
      endPart(again, why.reason());
      return;
    }
    part = again;
    pause(pause);
  }

  /// Pauses by a request without a receiver, which ends at its time-out or with the engine.
  private void pause(Duration time) {
    var nobody = engine.system().<ActorRef<Object>>ignoreRef();
    CompletionStage<Object> over = engine.calls().ask(nobody, replyTo -> replyTo, time);
    EngineStage.whenDone(
        over, (never, failure) -> CallbackThreads.chores().execute(() -> goOn(this::send)));
  }

  private void giveUp(String reason) {
    var retryAfter = engine.settings().ledger().retryAfter();
    var rest =
        new Submission.Unavailable(
            "not submitted, because of jobs before it in the list: " + reason, retryAfter);
    var open =
        new Submission.Unavailable(
            "it is not known whether it was accepted: " + reason, retryAfter);
    part.forEach(share -> share.places().forEach(place -> answerIfNone(place, open)));
    for (int i = 0; i < answers.length; i++) {
      answerIfNone(i, rest);
    }
    all.complete(List.of(answers));
  }

  private void answerIfNone(int place, Submission answer) {
    if (answers[place] == null) {
      answers[place] = answer;
    }
  }
}
