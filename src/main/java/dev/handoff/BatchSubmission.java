package dev.handoff;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.engine.Gateway;
import dev.handoff.job.JobSpec;
import dev.handoff.job.SubmitReplies;
import dev.handoff.job.SubmitReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Requests that are submitted together. Those without a key are dealt to the partitions, and each
/// partition writes its share in one append; one with a key goes to the partition of its key, where
/// it may have to wait for history.
final class BatchSubmission {

  /// The most jobs, and the most of their payloads, in one message.
  private static final int MOST_JOBS = 1_000;

  private static final int MOST_BYTES = 512 * 1024;

  private final Handoff.Inside inside;
  private final Function<JobSpec, CompletionStage<Submission>> alone;
  private final BiFunction<@Nullable SubmitReply, @Nullable Throwable, Submission> told;
  private final List<CompletableFuture<Submission>> answers = new ArrayList<>();

  /// @param alone submits one job
  /// @param told makes the answer of a reply
  BatchSubmission(
      Handoff.Inside inside,
      Function<JobSpec, CompletionStage<Submission>> alone,
      BiFunction<@Nullable SubmitReply, @Nullable Throwable, Submission> told) {
    this.inside = inside;
    this.alone = alone;
    this.told = told;
  }

  /// A share of one partition, and where the answers belong.
  private record Share(List<JobSpec> specs, List<CompletableFuture<Submission>> answers) {

    static Share empty() {
      return new Share(new ArrayList<>(), new ArrayList<>());
    }

    boolean hasRoomFor(JobSpec spec, int most, long bytes) {
      return specs.size() < most && bytes + spec.payload().size() <= MOST_BYTES;
    }
  }

  CompletionStage<List<Submission>> submit(List<JobRequest> requests) {
    var free = Share.empty();
    for (var request : requests) {
      answers.add(
          inside.submissions().checked(request, spec -> take(spec, free)).toCompletableFuture());
    }
    deal(free);
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApplyAsync(
            all -> answers.stream().map(CompletableFuture::join).toList(),
            CallbackThreads.answers());
  }

  private CompletionStage<Submission> take(JobSpec spec, Share free) {
    if (spec.uniqueKey() != null) {
      return alone.apply(spec);
    }
    var answer = new CompletableFuture<Submission>();
    free.specs().add(spec);
    free.answers().add(answer);
    return answer;
  }

  /// Each partition gets its part of them in a row, and more than one if they are many or large.
  private void deal(Share free) {
    int count = inside.doors().partitions().size();
    int most = Math.min(MOST_JOBS, Math.ceilDiv(free.specs().size(), count));
    int partition = ThreadLocalRandom.current().nextInt(count);
    var share = Share.empty();
    long bytes = 0;
    for (int i = 0; i < free.specs().size(); i++) {
      var spec = free.specs().get(i);
      if (!share.specs().isEmpty() && !share.hasRoomFor(spec, most, bytes)) {
        send(share, partition++ % count);
        share = Share.empty();
        bytes = 0;
      }
      share.specs().add(spec);
      share.answers().add(free.answers().get(i));
      bytes += spec.payload().size();
    }
    if (!share.specs().isEmpty()) {
      send(share, partition % count);
    }
  }

  private void send(Share share, int partition) {
    inside
        .calls()
        .<Gateway.Command, SubmitReplies, Boolean>answer(
            inside.doors().gateway(),
            replyTo -> new Gateway.SubmitBatch(partition, share.specs(), replyTo),
            Calls.PATIENCE,
            (replies, failure) -> answer(share, replies, failure));
  }

  private boolean answer(
      Share share, @Nullable SubmitReplies replies, @Nullable Throwable failure) {
    for (int i = 0; i < share.answers().size(); i++) {
      var reply = replies == null ? null : replies.replies().get(i);
      share.answers().get(i).complete(told.apply(reply, failure));
    }
    return replies != null;
  }
}
