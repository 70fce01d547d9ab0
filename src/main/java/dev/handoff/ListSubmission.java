package dev.handoff;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.ask.EngineStage;
import dev.handoff.ask.FullHeap;
import dev.handoff.engine.Gateway;
import dev.handoff.job.SubmitReplies;
import dev.handoff.job.SubmitReply;
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

/// The submission of a list, in parts of bounded size: the next part is sent when every job of the
/// former is durable or refused. So a list takes a bounded share of memory and of the store's
/// backlog, however long it is, and equal keys are taken in their order.
///
/// ```
/// next part ──▶ sent ──all durable or refused──▶ next part, or done
///                ▲ └────some not taken now─────▶ pause ──▶ these are sent again
///                └────────────────────────────────┘
/// sent, pause ──no answer, or nothing taken for long──▶ done: the rest is unavailable
/// ```
///
/// One thread at a time works on a list. It is never one on which callbacks of users wait: these
/// may wait for a list.
final class ListSubmission {

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Handoff.Inside inside;
  private final BiFunction<@Nullable SubmitReply, @Nullable Throwable, Submission> told;
  private final @Nullable Submission[] answers;

  /// Whether the last answer was about a job that was not taken, and may be later.
  private final boolean[] notTaken;

  private final ListParts parts;
  private final CompletableFuture<List<Submission>> all = new CompletableFuture<>();
  private final Consumer<String> givingUp = this::giveUp;
  private final Duration patience;
  private List<ListParts.Share> part = List.of();
  private int partJobs;
  private long lastTaken;

  /// @param told makes the answer of a reply
  /// @param patience how long nothing of a part may be taken before the rest is given up
  ListSubmission(
      Handoff.Inside inside,
      BiFunction<@Nullable SubmitReply, @Nullable Throwable, Submission> told,
      List<JobRequest> requests,
      Duration patience) {
    this.inside = inside;
    this.told = told;
    this.patience = patience;
    this.answers = new Submission[requests.size()];
    this.notTaken = new boolean[requests.size()];
    int partitions = inside.doors().partitions().size();
    this.parts = new ListParts(requests, partitions, inside.submissions(), answers);
  }

  CompletionStage<List<Submission>> submit() {
    goOn(this::nextPart);
    return all;
  }

  /// Nobody would take the next step if this one failed.
  private void goOn(Runnable step) {
    try {
      step.run();
    } catch (Throwable failure) {
      FullHeap.outlast(givingUp, String.valueOf(failure));
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
    return inside
        .calls()
        .<Gateway.Command, SubmitReplies, Boolean>ask(
            inside.doors().gateway(),
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

  /// Jobs that were not taken are sent again. Without an answer nobody knows whether a job was
  /// taken, and it is not sent again.
  ///
  /// @param answered whether there was a reply to every share
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

  /// Some jobs are not taken for long. If others of their part were, it is up to these jobs, such
  /// as one whose key belongs to a job that cannot be read; else it is up to the store.
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

  /// The answer to the first of these.
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

  /// A question that nobody answers: it ends with its time, or with the engine.
  private void pause(Duration time) {
    var nobody = inside.system().<ActorRef<Object>>ignoreRef();
    CompletionStage<Object> over = inside.calls().ask(nobody, replyTo -> replyTo, time);
    EngineStage.whenDone(
        over, (never, failure) -> CallbackThreads.chores().execute(() -> goOn(this::send)));
  }

  private void giveUp(String reason) {
    var retryAfter = inside.settings().ledger().retryAfter();
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
